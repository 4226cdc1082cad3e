package io.github.flinkps.flink.table.connector;

import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.options.RemoteServers;
import io.github.flinkps.flink.service.ServiceAddress;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.flink.table.ModelChange;
import io.github.flinkps.flink.table.ModelDefinition;
import io.github.flinkps.flink.table.ModelPath;
import io.github.flinkps.flink.table.ModelRoot;
import io.github.flinkps.flink.table.ModelSpec;
import io.github.flinkps.flink.table.ModelVersion;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.CatalogBaseTable;
import org.apache.flink.table.catalog.CatalogDatabase;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.catalog.TableChange;
import org.apache.flink.table.catalog.exceptions.CatalogException;
import org.apache.flink.table.catalog.exceptions.DatabaseAlreadyExistException;
import org.apache.flink.table.catalog.exceptions.DatabaseNotEmptyException;
import org.apache.flink.table.catalog.exceptions.DatabaseNotExistException;
import org.apache.flink.table.catalog.exceptions.ProcedureNotExistException;
import org.apache.flink.table.catalog.exceptions.TableAlreadyExistException;
import org.apache.flink.table.catalog.exceptions.TableNotExistException;
import org.apache.flink.table.factories.Factory;
import org.apache.flink.table.procedures.Procedure;

/**
 * The catalog whose tables are the models below a model root. It keeps nothing itself: every call
 * reads what is there, so that sessions see what others have changed. Database {@value #SYSTEM}
 * holds the procedures. Thread-safe.
 */
public final class FlinkPsCatalog extends TablesOnlyCatalog {
    /** The database of the procedures. */
    public static final String SYSTEM = "sys";

    /** The time after which the entry of an ended job is gone from the registry. */
    private static final Duration ENDING = Duration.ofSeconds(3);

    private static final long PAUSE_MILLIS = 20;

    private final String defaultDatabase;
    private final ModelRoot root;
    private final RemoteServers remote;

    /**
     * @param modelRoot path or URI of the folder
     * @param remote servers that jobs use unless a table says otherwise
     * @throws ValidationException if the model root cannot be one
     */
    public FlinkPsCatalog(
            String name, String defaultDatabase, String modelRoot, RemoteServers remote) {
        super(name);
        this.remote = remote;
        this.defaultDatabase = defaultDatabase;
        run(() -> PsOptions.check(PsOptions.MODEL_ROOT, modelRoot));
        this.root = new ModelRoot(modelRoot);
    }

    /** Returns the models. */
    public ModelRoot root() {
        return root;
    }

    @Override
    public Optional<Factory> getFactory() {
        return Optional.of(new ModelTableFactory(root, remote));
    }

    /**
     * Calls what may fail. Storage that fails is the catalog's fault (CatalogException), everything
     * else that of the statement (ValidationException).
     */
    private static <T> T call(Supplier<T> call) {
        try {
            return call.get();
        } catch (UncheckedIOException e) {
            throw new CatalogException(e.getMessage(), e);
        } catch (IllegalArgumentException | UnsupportedOperationException e) {
            throw ModelSpec.refused(e.getMessage(), e);
        }
    }

    private static void run(Runnable call) {
        call(
                () -> {
                    call.run();
                    return null;
                });
    }

    @Override
    public void open() {
        if (!databaseExists(defaultDatabase)) {
            throw new ValidationException(
                    "option 'default-database': there is no database "
                            + defaultDatabase
                            + " in "
                            + root.location()
                            + "; there are "
                            + String.join(", ", listDatabases()));
        }
    }

    @Override
    public void close() {}

    @Override
    public String getDefaultDatabase() {
        return defaultDatabase;
    }

    @Override
    public List<String> listDatabases() {
        List<String> databases = new ArrayList<>(call(root::databases));
        databases.remove(SYSTEM);
        databases.add(SYSTEM);
        return databases;
    }

    @Override
    public boolean databaseExists(String database) {
        return database.equals(SYSTEM) || call(() -> root.hasDatabase(database));
    }

    private void requireDatabase(String database) throws DatabaseNotExistException {
        if (!databaseExists(database)) {
            throw new DatabaseNotExistException(name(), database);
        }
    }

    private static void refuseSystemTable(ObjectPath table) {
        if (SystemTable.isSystem(table.getObjectName())) {
            throw new ValidationException(
                    table.getFullName()
                            + ": names with $ are those of tables that show what there is of a"
                            + " model, which cannot be changed: "
                            + SystemTable.marks());
        }
    }

    private static void refuseSystem(String database) {
        if (database.equals(SYSTEM)) {
            throw new ValidationException(
                    "database " + SYSTEM + " holds the procedures and cannot be changed");
        }
    }

    @Override
    public CatalogDatabase getDatabase(String database) throws DatabaseNotExistException {
        requireDatabase(database);
        if (database.equals(SYSTEM)) {
            return new ModelDatabase("Procedures.", null).toCatalog();
        }
        return call(
                () ->
                        root.database(database)
                                .map(json -> ModelDatabase.fromJson(json, database))
                                .orElse(ModelDatabase.EMPTY)
                                .toCatalog());
    }

    @Override
    public void createDatabase(String database, CatalogDatabase wanted, boolean ignoreIfExists)
            throws DatabaseAlreadyExistException {
        if (!databaseExists(database)) {
            run(() -> root.putDatabase(database, ModelDatabase.of(wanted).toJson()));
        } else if (!ignoreIfExists) {
            throw new DatabaseAlreadyExistException(name(), database);
        }
    }

    @Override
    public void alterDatabase(String database, CatalogDatabase wanted, boolean ignoreIfNotExists)
            throws DatabaseNotExistException {
        refuseSystem(database);
        if (databaseExists(database)) {
            run(() -> root.putDatabase(database, ModelDatabase.of(wanted).toJson()));
        } else if (!ignoreIfNotExists) {
            throw new DatabaseNotExistException(name(), database);
        }
    }

    @Override
    public void dropDatabase(String database, boolean ignoreIfNotExists, boolean cascade)
            throws DatabaseNotExistException, DatabaseNotEmptyException {
        refuseSystem(database);
        if (database.equals(ServiceRegistry.DEFAULT_DATABASE)) {
            throw new ValidationException("database " + database + " cannot be dropped");
        }
        if (!databaseExists(database)) {
            if (!ignoreIfNotExists) {
                throw new DatabaseNotExistException(name(), database);
            }
            return;
        }
        if (!cascade && !listTables(database).isEmpty()) {
            throw new DatabaseNotEmptyException(name(), database);
        }
        List<String> others = call(() -> root.undeclared(database));
        if (!cascade && !others.isEmpty()) {
            throw new ValidationException(
                    "database "
                            + database
                            + " holds what jobs have trained of models that are not declared: "
                            + String.join(", ", others)
                            + "; DROP DATABASE .. CASCADE removes it too");
        }
        Set<String> asked = Set.of();
        Set<String> models = allModels(database);
        while (!asked.containsAll(models)) { // others come while some are waited for
            refuseTraining(database, models);
            asked = models;
            models = allModels(database);
        }
        run(() -> root.dropDatabase(database));
    }

    /** Returns the models of a database, and those of which there is only what jobs have left. */
    private Set<String> allModels(String database) throws DatabaseNotExistException {
        Set<String> models = new TreeSet<>(listTables(database));
        models.addAll(call(() -> root.undeclared(database)));
        return models;
    }

    @Override
    public List<String> listTables(String database) throws DatabaseNotExistException {
        requireDatabase(database);
        return database.equals(SYSTEM) ? List.of() : call(() -> root.models(database));
    }

    @Override
    public boolean tableExists(ObjectPath table) {
        return hasModel(table) || systemTable(table).isPresent();
    }

    private boolean hasModel(ObjectPath table) {
        return !table.getDatabaseName().equals(SYSTEM)
                && call(() -> root.hasModel(table.getDatabaseName(), table.getObjectName()));
    }

    @Override
    public CatalogBaseTable getTable(ObjectPath table) throws TableNotExistException {
        Optional<SystemTable.Of> system = systemTable(table);
        return system.isPresent()
                ? TableDefinitions.table(system.get(), model(table, system.get()), null, null)
                : TableDefinitions.table(definition(table), place(table));
    }

    private ModelIdentifier place(ObjectPath table) {
        return new ModelIdentifier(
                new ModelPath(root.location(), table.getDatabaseName(), table.getObjectName()),
                remote);
    }

    /** Returns a system table of a model that is there. */
    private Optional<SystemTable.Of> systemTable(ObjectPath table) {
        return SystemTable.parse(table.getObjectName())
                .filter(of -> hasModel(new ObjectPath(table.getDatabaseName(), of.model())));
    }

    /**
     * Returns the parameters of a model as they were.
     *
     * @param timestamp milliseconds since the epoch
     */
    @Override
    public CatalogBaseTable getTable(ObjectPath table, long timestamp)
            throws TableNotExistException {
        Optional<SystemTable.Of> system = systemTable(table);
        if (system.isEmpty() || system.get().table() != SystemTable.PARAMS) {
            getTable(table);
            throw new ValidationException(
                    table.getFullName()
                            + ": only the parameters of a model, MODEL"
                            + SystemTable.PARAMS.mark()
                            + ", can be read FOR SYSTEM_TIME AS OF a time");
        }
        String database = table.getDatabaseName();
        Instant time = Instant.ofEpochMilli(timestamp);
        ModelVersion version =
                call(() -> root.newestAt(database, system.get().model(), time))
                        .orElseThrow(
                                () ->
                                        new ValidationException(
                                                table.getFullName()
                                                        + ": the model had no version at "
                                                        + time));
        return TableDefinitions.table(
                system.get(), model(table, system.get()), version.id(), timestamp);
    }

    private ModelSpec model(ObjectPath table, SystemTable.Of system) throws TableNotExistException {
        ObjectPath model = new ObjectPath(table.getDatabaseName(), system.model());
        return ModelSpec.of(model.getFullName(), definition(model));
    }

    private ModelDefinition definition(ObjectPath table) throws TableNotExistException {
        String database = table.getDatabaseName();
        if (!database.equals(SYSTEM)) {
            var found = call(() -> root.definition(database, table.getObjectName()));
            if (found.isPresent()) {
                return found.get();
            }
        }
        throw new TableNotExistException(name(), table);
    }

    @Override
    public void createTable(ObjectPath path, CatalogBaseTable table, boolean ignoreIfExists)
            throws TableAlreadyExistException, DatabaseNotExistException {
        refuseSystem(path.getDatabaseName());
        requireDatabase(path.getDatabaseName());
        refuseSystemTable(path);
        if (tableExists(path)) {
            if (!ignoreIfExists) {
                throw new TableAlreadyExistException(name(), path);
            }
            return;
        }
        ModelSpec spec = spec(path, table, ModelIdentifier.hidden(table.getOptions()));
        run(
                () ->
                        root.putDefinition(
                                path.getDatabaseName(), path.getObjectName(), spec.definition()));
    }

    private static ModelSpec spec(
            ObjectPath path, CatalogBaseTable table, Map<String, String> options) {
        if (table instanceof ResolvedCatalogTable resolved) {
            String model = path.getFullName();
            ModelSpec spec =
                    ModelSpec.of(model, TableDefinitions.definition(model, resolved, options));
            if (spec.tunes()) {
                throw new ValidationException(
                        "model "
                                + model
                                + ": option 'tune' is one of an INSERT: INSERT INTO .. /*+"
                                + " OPTIONS('tune' = 'true') */ SELECT ..");
            }
            return spec;
        }
        throw new ValidationException(
                path.getFullName()
                        + ": tables of this catalog are models; CREATE TEMPORARY VIEW makes a view"
                        + " of the session, other catalogs keep views and materialized tables");
    }

    @Override
    public void alterTable(ObjectPath path, CatalogBaseTable table, boolean ignoreIfNotExists)
            throws TableNotExistException {
        refuseSystemTable(path);
        if (!tableExists(path)) {
            if (!ignoreIfNotExists) {
                throw new TableNotExistException(name(), path);
            }
            return;
        }
        String database = path.getDatabaseName();
        String model = path.getObjectName();
        ModelSpec after =
                spec(path, table, place(path).hidden(path.getFullName(), table.getOptions()));
        if (call(() -> root.start(database, model)).isPresent()) {
            ModelChange.check(path.getFullName(), definition(path), after);
        }
        run(() -> root.putDefinition(database, model, after.definition()));
    }

    @Override
    public void alterTable(
            ObjectPath path,
            CatalogBaseTable table,
            List<TableChange> changes,
            boolean ignoreIfNotExists)
            throws TableNotExistException {
        Optional<ModelVersion> start =
                call(() -> root.start(path.getDatabaseName(), path.getObjectName()));
        for (TableChange change : start.isPresent() ? changes : List.<TableChange>of()) {
            if (change instanceof TableChange.ModifyColumnName renamed) {
                String model = path.getFullName();
                ModelSpec before = ModelSpec.of(model, definition(path));
                ModelChange.checkRename(model, before, renamed.getOldColumnName());
            }
        }
        alterTable(path, table, ignoreIfNotExists);
    }

    @Override
    public void dropTable(ObjectPath table, boolean ignoreIfNotExists)
            throws TableNotExistException {
        refuseSystemTable(table);
        if (tableExists(table)) {
            refuseTraining(table.getDatabaseName(), Set.of(table.getObjectName()));
            run(() -> root.dropModel(table.getDatabaseName(), table.getObjectName()));
        } else if (!ignoreIfNotExists) {
            throw new TableNotExistException(name(), table);
        }
    }

    /**
     * Refuses to touch models that a job trains: the job keeps what it needs to go on in the
     * model's folder, as long as it runs.
     */
    private void refuseTraining(String database, Set<String> models) {
        training(database, models)
                .forEach(
                        (model, run) -> {
                            throw new ValidationException(
                                    "model "
                                            + database
                                            + "."
                                            + model
                                            + " is being trained: end the job first. Of one that"
                                            + " was killed this is said for up to a minute");
                        });
    }

    /**
     * Returns the jobs that train models; not those that have ended, though their entry goes a
     * moment later.
     */
    private Map<String, ServiceAddress> training(String database, Set<String> models) {
        long begun = System.nanoTime();
        Map<String, ServiceAddress> runs = call(() -> root.training(database, models));
        while (!runs.isEmpty() && System.nanoTime() - begun < ENDING.toNanos()) {
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return runs;
            }
            runs = call(() -> root.training(database, models));
        }
        return runs;
    }

    @Override
    public void renameTable(ObjectPath table, String newName, boolean ignoreIfNotExists)
            throws TableNotExistException, TableAlreadyExistException {
        refuseSystemTable(table);
        String database = table.getDatabaseName();
        if (!tableExists(table)) {
            if (!ignoreIfNotExists) {
                throw new TableNotExistException(name(), table);
            }
            return;
        }
        ObjectPath target = new ObjectPath(database, newName);
        refuseSystemTable(target);
        if (tableExists(target)) {
            throw new TableAlreadyExistException(name(), target);
        }
        refuseTraining(database, Set.of(table.getObjectName()));
        run(() -> root.renameModel(database, table.getObjectName(), newName));
    }

    @Override
    public List<String> listProcedures(String database) throws DatabaseNotExistException {
        requireDatabase(database);
        return database.equals(SYSTEM) ? ModelProcedures.names() : List.of();
    }

    @Override
    public Procedure getProcedure(ObjectPath procedure) throws ProcedureNotExistException {
        if (procedure.getDatabaseName().equals(SYSTEM)
                && ModelProcedures.names().contains(procedure.getObjectName())) {
            return ModelProcedures.of(procedure.getObjectName(), name(), root);
        }
        throw new ProcedureNotExistException(name(), procedure);
    }
}
