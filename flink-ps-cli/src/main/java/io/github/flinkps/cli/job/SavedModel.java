package io.github.flinkps.cli.job;

import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.StepCounts;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.algorithm.TrainingModels;
import io.github.flinkps.flink.data.RowRecipe;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelHeader;
import io.github.flinkps.model.ModelManifest;
import io.github.flinkps.model.ModelReader;
import io.github.flinkps.model.cut.CutManifest;
import io.github.flinkps.model.cut.CutManifests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A model directory of this machine, or a cut.
 *
 * @param option that names it, for messages
 * @param directory absolute
 * @param manifest checked
 * @param rounds of its workers until it was saved, by the name of the optimizer that counted them;
 *     none where nothing was saved beside the values
 */
public record SavedModel(
        String option, Path directory, ModelManifest manifest, Map<String, Long> rounds) {
    SavedModel(String option, Path directory, ModelManifest manifest) {
        this(option, directory, manifest, rounds(manifest));
    }

    /**
     * Reads the manifest.
     *
     * @param option that names the directory, for messages
     * @throws CommandException when there is no model or its manifest is damaged
     */
    public static SavedModel open(String option, Path directory) {
        Path absolute = directory.toAbsolutePath().normalize();
        if (!Files.isDirectory(absolute)) {
            throw new CommandException(option + ": there is no model directory " + directory);
        }
        try {
            ModelManifest manifest =
                    ModelReader.readManifest(
                            new LocalModelStorage(), LocalModelStorage.path(absolute));
            return new SavedModel(option, absolute, manifest);
        } catch (PsException e) {
            throw new CommandException(option + ": " + e.getMessage(), e);
        }
    }

    /** Returns what a cut says of its model; its own files are not known. */
    public static SavedModel ofCut(CutSource cut) {
        try {
            CutManifest read = CutManifests.read(cut.storage(), cut.manifest());
            ModelHeader header = read.header().model();
            String path = cut.manifest().path().replaceFirst("^file:/+", "/");
            return new SavedModel(
                    cut.option(),
                    Path.of(path).toAbsolutePath().getParent(),
                    new ModelManifest(header, List.of(), Map.of()),
                    rounds(read));
        } catch (PsException e) {
            throw new CommandException(cut.option() + ": " + e.getMessage(), e);
        }
    }

    private static Map<String, Long> rounds(ModelManifest model) {
        Map<String, Long> rounds = new TreeMap<>();
        model.tables().stream()
                .filter(table -> table.slots() > 0)
                .forEach(
                        table ->
                                table.files()
                                        .forEach(
                                                file -> count(rounds, table.spec(), file.steps())));
        return rounds;
    }

    private static Map<String, Long> rounds(CutManifest cut) {
        Map<String, Long> rounds = new TreeMap<>();
        cut.tables().stream()
                .filter(table -> table.layout().slots() > 0)
                .forEach(
                        table ->
                                table.partitions()
                                        .forEach(
                                                part ->
                                                        count(
                                                                rounds,
                                                                table.layout().spec(),
                                                                part.steps())));
        return rounds;
    }

    private static void count(Map<String, Long> rounds, TableSpec table, StepCounts steps) {
        rounds.merge(table.update().name(), steps.rounds(), Math::max);
    }

    /**
     * Returns the round that schedules go on from if an optimizer trains the model on. It is 0
     * where servers have nothing but values to load for it.
     */
    public long rounds(String optimizer) {
        return rounds.getOrDefault(optimizer, 0L);
    }

    /** Returns whether a path leads to one of its files. */
    public boolean contains(Path file) {
        return isSame(file, directory.resolve(ModelManifest.FILE))
                || manifest.tables().stream()
                        .flatMap(table -> table.files().stream())
                        .anyMatch(each -> isSame(file, directory.resolve(each.path())));
    }

    /** Returns whether two paths lead to one file, which is there. */
    public static boolean isSame(Path one, Path other) {
        try {
            return Files.exists(one) && Files.exists(other) && Files.isSameFile(one, other);
        } catch (IOException e) {
            return false; // gone meanwhile, or not to be seen
        }
    }

    /**
     * Returns the classes whose probabilities it predicts, by the names of the files it was trained
     * on; none for a single score.
     */
    public List<String> classes() {
        RowRecipe recipe = recipe();
        List<List<String>> names = recipe == null ? List.of() : recipe.labelNames();
        return IntStream.range(0, model().labels().classes())
                .mapToObj(i -> i < names.size() ? names.get(i).get(0) : Integer.toString(i))
                .toList();
    }

    /** Returns how rows became its rows, or null if that is not known. */
    public RowRecipe recipe() {
        String input = manifest.header().input();
        if (input.isEmpty()) {
            return null;
        }
        try {
            return RowRecipe.fromJson(input);
        } catch (IllegalArgumentException e) {
            throw new CommandException("the model in " + directory + ": " + e.getMessage(), e);
        }
    }

    /** Creates the algorithm it was trained with, with the same options. */
    public TrainingModel model() {
        return TrainingModels.create(manifest.header().algorithm(), manifest.header().parameters());
    }
}
