package io.github.flinkps.cli.job;

import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.cli.run.Failures;
import io.github.flinkps.common.PsException;
import io.github.flinkps.flink.training.cut.SavedCut;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.cut.CutManifests;
import io.github.flinkps.model.cut.CutPaths;
import io.github.flinkps.model.cut.ManifestRef;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A cut that a user names, by itself or by a savepoint that refers to it.
 *
 * @param option that names it, for messages
 * @param storage it lies on
 * @param manifest of the cut
 */
public record CutSource(String option, ModelStorage storage, ManifestRef manifest) {
    private static final int ID_DIGITS = 32;

    /**
     * Returns the cut in a directory.
     *
     * @param path of the directory or of the manifest, or a URI
     * @throws CommandException if there is none
     */
    public static CutSource ofCut(String option, String path) {
        ModelStorage storage = FlinkFiles.storage();
        String place = FlinkFiles.absolute(path);
        String manifest =
                place.endsWith("/" + CutPaths.MANIFEST) ? place : place + "/" + CutPaths.MANIFEST;
        try {
            return new CutSource(option, storage, CutManifests.at(storage, manifest));
        } catch (PsException e) {
            throw new CommandException(option + ": " + e.getMessage(), e);
        }
    }

    /**
     * Returns the cut that a savepoint or a retained checkpoint refers to.
     *
     * @param path of its directory or metadata file, or a URI
     * @param operator which of several that train: the uid or the id of the operator, or the name
     *     of its model; null where there is one only
     * @throws CommandException if it is no savepoint, or not of a job that trains, or it is not
     *     clear which cut is meant
     */
    public static CutSource ofSavepoint(String option, String path, String operator) {
        ModelStorage storage = FlinkFiles.storage();
        List<SavedCut> cuts;
        try {
            cuts = SavedCut.of(FlinkFiles.absolute(path));
        } catch (IOException e) {
            throw new CommandException(option + ": " + Failures.reason(e), e);
        }
        if (cuts.isEmpty()) {
            throw new CommandException(
                    option
                            + ": no operator in "
                            + path
                            + " trains a model with parameter servers. Where training had finished"
                            + " before it, Flink keeps nothing of those that did: take the model"
                            + " published, or the last cut that model list shows, with --cut");
        }
        List<SavedCut> meant = cuts.stream().filter(cut -> isMeant(cut, operator)).toList();
        if (meant.size() != 1) {
            throw new CommandException(
                    (meant.isEmpty()
                                    ? "--operator: '" + operator + "' is none that trains in "
                                    : option + ": several operators train in ")
                            + path
                            + (meant.isEmpty() ? "" : "; name one with --operator")
                            + ": "
                            + cuts.stream()
                                    .map(CutSource::describe)
                                    .collect(Collectors.joining(", ")));
        }
        return new CutSource(option, storage, meant.get(0).manifest());
    }

    private static boolean isMeant(SavedCut cut, String operator) {
        return operator == null
                || operator.equals(cut.model())
                || operator.equals(SavedCut.uid(cut.model()))
                || operator.length() == ID_DIGITS && operator.equalsIgnoreCase(cut.operator());
    }

    private static String describe(SavedCut cut) {
        return cut.model().isEmpty() ? cut.operator() : SavedCut.uid(cut.model());
    }
}
