package io.github.flinkps.cli.job;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.algorithm.TrainingModels;
import io.github.flinkps.flink.service.ValidationSpec;
import io.github.flinkps.flink.training.Shuffle;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What is to be trained, and how.
 *
 * @param rows that train
 * @param test rows that test, or null
 * @param algorithm its name
 * @param options of the algorithm and its optimizer, by hyphenated name
 * @param workers their number
 * @param service the servers
 * @param consistency of the workers
 * @param prefetch mini-batches to pull ahead, or null for the default
 * @param significanceThreshold of what is pushed at once, or null where all is
 * @param epochs passes
 * @param batchSize rows of a mini-batch, per worker
 * @param seed of the order of mini-batches
 * @param shuffle what changes its place after the first pass
 * @param rowMemory bytes of heap of each worker for rows that later passes train again; null: a
 *     share of the heap
 * @param validation rows that measure each pass, or null
 * @param checkpoints that are taken meanwhile, or null
 * @param initial model to train on, or what is said of it where that is a cut, or null
 * @param startCut cut to train on, or null
 * @param target where the model goes, or null
 * @param saveSlots whether the optimizer's slots are saved too
 */
public record TrainRequest(
        RowsInput rows,
        RowsInput test,
        String algorithm,
        Map<String, String> options,
        int workers,
        ServiceChoice service,
        ConsistencySpec consistency,
        Integer prefetch,
        Double significanceThreshold,
        int epochs,
        int batchSize,
        long seed,
        Shuffle shuffle,
        Long rowMemory,
        ValidationSpec validation,
        CheckpointChoice checkpoints,
        SavedModel initial,
        CutSource startCut,
        ModelTarget target,
        boolean saveSlots) {
    public TrainRequest {
        options = Map.copyOf(options);
    }

    /** Returns the model to train. */
    TrainingModel model() {
        return TrainingModels.create(algorithm, options);
    }

    /** Returns what of the model to train on another optimizer has no use for; empty: nothing. */
    public Optional<String> leftOut() {
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

    /** Returns what the model calls its loss. */
    public String lossName() {
        return model().lossName();
    }
}
