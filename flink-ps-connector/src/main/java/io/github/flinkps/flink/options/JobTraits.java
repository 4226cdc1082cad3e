package io.github.flinkps.flink.options;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.core.execution.CheckpointingMode;

/**
 * The traits of a job that its options must fit.
 *
 * @param input whether it ends
 * @param mode STREAMING or BATCH
 * @param saves whether the model is saved
 * @param checkpoints the mode of the job's checkpoints; null where it takes none
 */
public record JobTraits(
        Boundedness input,
        RuntimeExecutionMode mode,
        boolean saves,
        CheckpointingMode checkpoints) {
    boolean bounded() {
        return input == Boundedness.BOUNDED;
    }

    boolean batch() {
        return mode == RuntimeExecutionMode.BATCH;
    }
}
