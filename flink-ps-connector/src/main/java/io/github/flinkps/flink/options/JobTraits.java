package io.github.flinkps.flink.options;

import org.apache.flink.core.execution.CheckpointingMode;

/**
 * The traits of a job that its options must fit.
 *
 * @param bounded whether the input ends
 * @param batch whether the runtime mode is BATCH
 * @param saves whether the model is saved
 * @param checkpoints the mode of the job's checkpoints; null where it takes none
 */
public record JobTraits(
        boolean bounded, boolean batch, boolean saves, CheckpointingMode checkpoints) {}
