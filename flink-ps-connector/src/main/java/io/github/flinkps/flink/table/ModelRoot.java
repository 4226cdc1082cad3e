package io.github.flinkps.flink.table;

import io.github.flinkps.flink.data.TextInput;
import io.github.flinkps.flink.service.FlinkModelStorage;
import io.github.flinkps.flink.service.RunningJobs;
import io.github.flinkps.flink.service.ServiceAddress;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.model.ModelStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The folder of named models: {@code ROOT/DB/MODEL/} holds {@code definition.json} and {@code
 * versions/ID/}, beside {@code reset} and what runs of the model keep there. Any process that sees
 * the storage may read and change it; a definition, and a version, is there as a whole or not at
 * all. Calls block on the storage and fail with {@link UncheckedIOException}. Thread-safe.
 */
public final class ModelRoot {
    private static final Pattern DATABASE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}");
    private static final Pattern MODEL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final String DATABASE_FILE = "database.json";
    private static final String DEFINITION_FILE = "definition.json";

    /** Holds the id up to which versions are no longer gone on from. */
    private static final String RESET_FILE = "reset";

    private static final String MANIFEST = "manifest.json";
    private static final int MOST_BYTES = 1 << 24;

    private final ModelStorage storage = new FlinkModelStorage();
    private final String root;

    /** A call to the storage. */
    private interface Call<T> {
        T call() throws IOException;
    }

    /**
     * @param root path or URI of the folder, which need not be there yet
     */
    public ModelRoot(String root) {
        this.root = TextInput.absolute(root).replaceAll("/+$", "");
    }

    /** Returns its URI or path, absolute. */
    public String location() {
        return root;
    }

    /** Returns the names of the databases, sorted; the default one is always there. */
    public List<String> databases() {
        return call(
                "listing " + root,
                () -> {
                    List<String> found = new ArrayList<>(List.of(ServiceRegistry.DEFAULT_DATABASE));
                    for (String name : storage.list(root)) {
                        if (!name.equals(ServiceRegistry.DEFAULT_DATABASE)
                                && storage.exists(root + "/" + name + "/" + DATABASE_FILE)) {
                            found.add(name);
                        }
                    }
                    found.sort(null);
                    return found;
                });
    }

    public boolean hasDatabase(String database) {
        return database.equals(ServiceRegistry.DEFAULT_DATABASE)
                || exists(databaseFile(database), database, DATABASE);
    }

    private String databaseFile(String database) {
        return root + "/" + database + "/" + DATABASE_FILE;
    }

    /** Returns what {@link #putDatabase} stored of a database; empty if nothing is. */
    public Optional<String> database(String database) {
        return read(databaseFile(database));
    }

    /**
     * Creates a database, or replaces what is known of it.
     *
     * @param properties as JSON
     * @throws IllegalArgumentException for a name that is none
     */
    public void putDatabase(String database, String properties) {
        check("database", database, DATABASE, "_ and -");
        write(databaseFile(database), properties);
    }

    /** Removes a database with all its models. */
    public void dropDatabase(String database) {
        delete(root + "/" + database);
    }

    /** Returns the names of the models of a database that were declared, sorted. */
    public List<String> models(String database) {
        return call(
                "listing " + root + "/" + database,
                () -> {
                    List<String> found = new ArrayList<>();
                    for (String name : storage.list(root + "/" + database)) {
                        if (storage.exists(definitionFile(database, name))) {
                            found.add(name);
                        }
                    }
                    found.sort(null);
                    return found;
                });
    }

    /**
     * Returns the names of the folders, sorted, that jobs have made in a database of models not
     * declared.
     */
    public List<String> undeclared(String database) {
        List<String> declared = models(database);
        return call(
                "listing " + root + "/" + database,
                () ->
                        storage.list(root + "/" + database).stream()
                                .filter(name -> !name.equals(DATABASE_FILE))
                                .filter(name -> !declared.contains(name))
                                .sorted()
                                .toList());
    }

    /** Returns the folder of a model. */
    public String directory(String database, String model) {
        return root + "/" + database + "/" + model;
    }

    private String definitionFile(String database, String model) {
        return directory(database, model) + "/" + DEFINITION_FILE;
    }

    public boolean hasModel(String database, String model) {
        return DATABASE.matcher(database).matches()
                && exists(definitionFile(database, model), model, MODEL);
    }

    /**
     * Returns the definition of a model; empty if there is none of that name.
     *
     * @throws IllegalArgumentException if it is damaged or of a newer format
     */
    public Optional<ModelDefinition> definition(String database, String model) {
        if (!DATABASE.matcher(database).matches() || !MODEL.matcher(model).matches()) {
            return Optional.empty();
        }
        String file = definitionFile(database, model);
        return read(file).map(json -> ModelDefinition.fromJson(json, file));
    }

    /**
     * Stores the definition of a model, in the place of one that is there.
     *
     * @throws IllegalArgumentException for a name that is none
     */
    public void putDefinition(String database, String model, ModelDefinition definition) {
        check("model", model, MODEL, "., _ and -");
        write(definitionFile(database, model), definition.toJson());
    }

    /** Removes a model: definition, versions and cuts. */
    public void dropModel(String database, String model) {
        call(
                "removing " + definitionFile(database, model),
                () -> {
                    storage.delete(definitionFile(database, model));
                    return null;
                });
        delete(directory(database, model));
    }

    /**
     * Gives a model another name, its versions and cuts included.
     *
     * @throws IllegalArgumentException for a name that is none
     * @throws UnsupportedOperationException on storage that cannot rename in one step
     */
    public void renameModel(String database, String model, String newName) {
        check("model", newName, MODEL, "., _ and -");
        String from = directory(database, model);
        if (!storage.renames(from)) {
            throw new UnsupportedOperationException(
                    "models in " + root + " cannot be renamed: the storage only copies");
        }
        String to = directory(database, newName);
        call(
                "renaming " + from,
                () -> {
                    if (storage.exists(to)) {
                        throw new IllegalArgumentException(
                                to + " is there already, of a model that is not declared");
                    }
                    storage.rename(from, to);
                    return null;
                });
    }

    /** Returns the versions of a model, oldest first. */
    public List<ModelVersion> versions(String database, String model) {
        String folder = directory(database, model) + "/versions";
        return call(
                "listing " + folder,
                () -> {
                    List<ModelVersion> found = new ArrayList<>();
                    for (String name : storage.list(folder)) {
                        String directory = folder + "/" + name;
                        if (ModelVersion.isId(name) && storage.exists(directory + "/" + MANIFEST)) {
                            found.add(new ModelVersion(name, directory));
                        }
                    }
                    found.sort((one, other) -> one.id().compareTo(other.id()));
                    return found;
                });
    }

    /**
     * Returns the version of that id.
     *
     * @throws IllegalArgumentException if there is none, naming those that there are
     */
    public ModelVersion version(String database, String model, String id) {
        List<ModelVersion> all = versions(database, model);
        return all.stream()
                .filter(version -> version.id().equals(id))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "model %s.%s has no version '%s': %s"
                                                .formatted(
                                                        database,
                                                        model,
                                                        id,
                                                        all.isEmpty()
                                                                ? "it was never trained"
                                                                : "there are " + ids(all))));
    }

    private static String ids(List<ModelVersion> versions) {
        return String.join(", ", versions.stream().map(ModelVersion::id).toList());
    }

    /** Returns the newest version of a model; empty if it was never trained. */
    public Optional<ModelVersion> newest(String database, String model) {
        List<ModelVersion> all = versions(database, model);
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
    }

    /**
     * Lets training begin from scratch from now on; versions stay, and jobs that train go on.
     *
     * @throws IllegalArgumentException for a name that is none
     */
    public void reset(String database, String model, Instant now) {
        checkNames(database, model);
        String newest = newest(database, model).map(ModelVersion::id).orElse("");
        String until = ModelVersion.id(now);
        write(resetFile(database, model), newest.compareTo(until) > 0 ? newest : until);
    }

    private String resetFile(String database, String model) {
        return directory(database, model) + "/" + RESET_FILE;
    }

    /**
     * Returns the version that training goes on from: the newest, if it is younger than any reset.
     */
    public Optional<ModelVersion> start(String database, String model) {
        String reset = reset(database, model);
        return newest(database, model).filter(version -> version.id().compareTo(reset) > 0);
    }

    /** Returns the id up to which versions are no longer gone on from; empty if there is none. */
    private String reset(String database, String model) {
        String file = resetFile(database, model);
        String id = read(file).map(String::strip).orElse("");
        if (!id.isEmpty() && !ModelVersion.isId(id)) {
            throw new IllegalArgumentException(file + " is damaged: it holds no id of a version");
        }
        return id;
    }

    /**
     * Returns the jobs that train models now, whose servers they need, one of each such model by
     * its name. Takes a minute where one may have been killed.
     */
    public Map<String, ServiceAddress> training(String database, Collection<String> models) {
        return call(
                "looking for jobs of " + models + " in " + database(database),
                () -> {
                    Map<String, List<ServiceAddress>> runs =
                            RunningJobs.find(
                                    models.stream()
                                            .map(each -> directory(database, each))
                                            .toList());
                    Map<String, ServiceAddress> training = new TreeMap<>();
                    for (String model : models) {
                        runs.get(directory(database, model)).stream()
                                .filter(run -> !run.outlivesJob())
                                .findFirst()
                                .ifPresent(run -> training.put(model, run));
                    }
                    return training;
                });
    }

    /** Returns the version that was the newest at a time; empty if there was none yet. */
    public Optional<ModelVersion> newestAt(String database, String model, Instant time) {
        return versions(database, model).stream()
                .filter(version -> !version.published().isAfter(time))
                .reduce((earlier, later) -> later);
    }

    /**
     * Returns the directory of a version that is to be published now: later than all that are
     * there, and than any reset.
     */
    public ModelVersion next(String database, String model, Instant now) {
        return next(database, model, now, 0);
    }

    /** Returns the directory of a version so many milliseconds after {@link #next}. */
    public ModelVersion next(String database, String model, Instant now, int ahead) {
        String newest = newest(database, model).map(ModelVersion::id).orElse("");
        String reset = reset(database, model);
        String last = newest.compareTo(reset) > 0 ? newest : reset;
        Instant least = last.isEmpty() ? now : ModelVersion.time(last).plusMillis(1);
        String id = ModelVersion.id((least.isAfter(now) ? least : now).plusMillis(ahead));
        return new ModelVersion(id, directory(database, model) + "/versions/" + id);
    }

    /** Removes a version. */
    public void dropVersion(ModelVersion version) {
        delete(version.directory());
    }

    /**
     * @throws IllegalArgumentException for a name that no database, or no model, can have
     */
    public static void checkNames(String database, String model) {
        check("database", database, DATABASE, "_ and -");
        check("model", model, MODEL, "., _ and -");
    }

    private static void check(String what, String name, Pattern pattern, String others) {
        if (!pattern.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "the name of a "
                            + what
                            + " must be at most 64 letters, digits, "
                            + others
                            + ", the first a letter or digit, not '"
                            + name
                            + "'");
        }
    }

    private boolean exists(String file, String name, Pattern pattern) {
        return pattern.matcher(name).matches()
                && call("looking for " + file, () -> storage.exists(file));
    }

    private Optional<String> read(String file) {
        return call(
                "reading " + file,
                () -> {
                    try (ReadableByteChannel channel = storage.open(file)) {
                        byte[] bytes = Channels.newInputStream(channel).readNBytes(MOST_BYTES);
                        return Optional.of(new String(bytes, StandardCharsets.UTF_8));
                    } catch (NoSuchFileException e) {
                        return Optional.empty();
                    }
                });
    }

    private void write(String file, String text) {
        String folder = file.substring(0, file.lastIndexOf('/'));
        boolean renames = storage.renames(folder);
        String written = renames ? file + "." + UUID.randomUUID() : file;
        call(
                "writing " + file,
                () -> {
                    storage.makeDirectories(folder);
                    try (ModelStorage.Output out = storage.create(written)) {
                        out.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
                        out.sync();
                    }
                    if (renames) {
                        storage.rename(written, file);
                    }
                    return null;
                });
    }

    private void delete(String path) {
        call(
                "removing " + path,
                () -> {
                    storage.delete(path);
                    return null;
                });
    }

    private static <T> T call(String what, Call<T> call) {
        try {
            return call.call();
        } catch (IOException e) {
            throw new UncheckedIOException(what + " failed: " + e.getMessage(), e);
        }
    }
}
