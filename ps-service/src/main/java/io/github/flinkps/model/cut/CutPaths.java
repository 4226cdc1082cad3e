package io.github.flinkps.model.cut;

import io.github.flinkps.model.StorageFiles;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The paths of the cuts of a model: {@code MODEL/runs/RUN/cuts/NUMBER-FENCE/}, in it {@value
 * #MANIFEST} and {@code data/}.
 */
public final class CutPaths {
    /** Name of the manifest in a cut's directory. */
    public static final String MANIFEST = "manifest.json";

    /** Name of the empty file in a cut's directory that says that its checkpoint is complete. */
    static final String COMPLETE = "complete";

    /** Name of the empty file there that says that its checkpoint was given up. */
    static final String ABORTED = "aborted";

    static final String DATA = "data";
    private static final String RUNS = "runs";
    private static final String CUTS = "cuts";

    private static final Pattern RUN_PATH = Pattern.compile("(.+)/" + RUNS + "/([^/]+)");
    private static final Pattern CUT_PATH = Pattern.compile("(.+)/" + CUTS + "/([^/]+)");

    private CutPaths() {}

    /**
     * A run of a model.
     *
     * @param model the model's directory, as the path names it
     * @param run its name
     */
    public record Run(String model, String run) {}

    /**
     * A cut of a model.
     *
     * @param model the model's directory, as the path names it
     * @param id of the cut
     */
    public record Location(String model, CutId id) {}

    /**
     * Returns the run whose directory that is, whether or not it is there: {@code MODEL/runs/RUN}.
     */
    public static Optional<Run> runAt(String path) {
        Matcher matcher = RUN_PATH.matcher(StorageFiles.withoutEndSlash(path));
        return matcher.matches() && CutId.isRun(matcher.group(2))
                ? Optional.of(new Run(matcher.group(1), matcher.group(2)))
                : Optional.empty();
    }

    /** Returns the cut whose directory or manifest that is, whether or not it is there. */
    public static Optional<Location> cutAt(String path) {
        String directory = StorageFiles.withoutEndSlash(path);
        if (directory.endsWith("/" + MANIFEST)) {
            directory = StorageFiles.parent(directory);
        }
        Matcher matcher = CUT_PATH.matcher(directory);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        return runAt(matcher.group(1))
                .flatMap(
                        run ->
                                CutId.ofDirectory(run.run(), matcher.group(2))
                                        .map(id -> new Location(run.model(), id)));
    }

    /** Returns the cut whose manifest has that path, whether or not it is there. */
    static Optional<CutId> ofManifest(String path) {
        return path.endsWith("/" + MANIFEST) ? cutAt(path).map(Location::id) : Optional.empty();
    }

    /** Returns the directory with one directory per run. */
    public static String runs(String modelDirectory) {
        return StorageFiles.withoutEndSlash(modelDirectory) + "/" + RUNS;
    }

    /** Returns the directory of all that is kept of a run. */
    public static String run(String modelDirectory, String run) {
        return runs(modelDirectory) + "/" + run;
    }

    /** Returns the directory of a run's cuts. */
    public static String cuts(String modelDirectory, String run) {
        return run(modelDirectory, run) + "/" + CUTS;
    }

    /** Returns the directory of a cut. */
    public static String directory(String modelDirectory, CutId cut) {
        return cuts(modelDirectory, cut.run()) + "/" + cut.directoryName();
    }

    /** Returns the directory of rows that checkpoints of a run refer to. */
    public static String rows(String modelDirectory, String run) {
        return run(modelDirectory, run) + "/rows";
    }

    /** Returns the manifest of a cut. */
    public static String manifest(String modelDirectory, CutId cut) {
        return directory(modelDirectory, cut) + "/" + MANIFEST;
    }

    /** Returns the manifest of another cut of the same run. */
    static String sibling(String manifest, CutId cut) {
        String cuts = StorageFiles.parent(StorageFiles.parent(manifest));
        return cuts + "/" + cut.directoryName() + "/" + MANIFEST;
    }

    /** Returns the model directory above a manifest, where it lies as {@link #manifest} says. */
    public static Optional<String> modelDirectory(String manifest, CutId cut) {
        String end = "/" + RUNS + "/" + cut.run() + "/" + CUTS + "/" + cut.directoryName();
        String directory = StorageFiles.parent(manifest);
        return directory.endsWith(end)
                ? Optional.of(directory.substring(0, directory.length() - end.length()))
                : Optional.empty();
    }

    /** Returns the file of the rounds that one writer found unfinished, within a cut. */
    static String roundsFile(String writer) {
        if (!writer.matches("[A-Za-z0-9_-]{1,64}")) {
            throw new IllegalArgumentException(
                    "writer '" + writer + "' is not 1 to 64 letters, digits, '-' and '_'");
        }
        return DATA + "/rounds-" + writer + ".bin";
    }

    static boolean isRoundsFile(String path) {
        return path.matches(DATA + "/rounds-[A-Za-z0-9_-]{1,64}\\.bin");
    }
}
