package io.github.flinkps.cli.job;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.algorithm.TrainingModels;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A request to train: what is to be trained, and how.
 *
 * @param rows training rows
 * @param test test rows, or null
 * @param learner what learns
 * @param start what it begins as
 * @param job options of the job
 * @param checkpoints that are taken meanwhile, or null
 * @param target where the model goes, or null
 */
public record TrainRequest(
        RowsInput rows,
        RowsInput test,
        Learner learner,
        Start start,
        JobOptions job,
        CheckpointChoice checkpoints,
        ModelTarget target) {
    private static final int MOST_SHOWN = 20;

    /**
     * Names what learns.
     *
     * @param algorithm its name
     * @param options of the algorithm and its optimizer, by hyphenated name
     */
    public record Learner(String algorithm, Map<String, String> options) {
        public Learner {
            options = Map.copyOf(options);
        }
    }

    /**
     * Says what a model begins as.
     *
     * @param model to train on, or what is said of it where that is a cut, or null
     * @param cut to train on, or null
     */
    public record Start(SavedModel model, CutSource cut) {}

    /** Makes the model to train. */
    TrainingModel model() {
        return TrainingModels.create(learner.algorithm(), learner.options());
    }

    /** Returns which label each of the names stands for; empty where labels mean themselves. */
    public Optional<String> labels() {
        List<List<String>> names = rows.recipe().labelNames();
        String shown =
                IntStream.range(0, Math.min(names.size(), MOST_SHOWN))
                        .mapToObj(label -> names.get(label).get(0) + " (" + label + ")")
                        .collect(Collectors.joining(", "));
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of("labels: " + shown + (names.size() > MOST_SHOWN ? ", .." : ""));
    }

    /** Returns what of the model to train on another optimizer has no use for; empty: nothing. */
    public Optional<String> leftOut() {
        SavedModel initial = start.model();
        if (initial == null || !initial.manifest().header().slots()) {
            return Optional.empty();
        }
        Map<String, String> before =
                initial.model().tables().stream()
                        .collect(Collectors.toMap(TableSpec::name, t -> t.update().name()));
        return model().tables().stream()
                .filter(table -> !table.update().name().equals(before.get(table.name())))
                .findFirst()
                .map(
                        table ->
                                "--optimizer "
                                        + table.update().name()
                                        + " trains on from the values of "
                                        + initial.option()
                                        + " alone: what "
                                        + before.get(table.name())
                                        + " kept beside them is left out");
    }

    /** Returns how many classes the model tells apart, or would; at least 2. */
    public int classes() {
        return Math.max(2, model().labels().classes());
    }

    /** Returns what the model calls its loss. */
    public String lossName() {
        return model().lossName();
    }
}
