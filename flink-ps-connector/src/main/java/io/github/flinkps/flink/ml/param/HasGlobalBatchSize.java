package io.github.flinkps.flink.ml.param;

import io.github.flinkps.flink.options.PsOptions;
import org.apache.flink.ml.param.IntParam;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param globalBatchSize. */
public interface HasGlobalBatchSize<T> extends WithParams<T> {
    /**
     * Rows of a mini-batch of all workers together; null: 32, or by the rows. Each gets an equal
     * part, of one row at least.
     */
    Param<Integer> GLOBAL_BATCH_SIZE =
            new IntParam(
                    "globalBatchSize",
                    "Rows of a mini-batch, over all workers; 32 unless set, or by the rows with"
                            + " tune.",
                    null,
                    Checks.unsetOr(OptionParams.check(PsOptions.BATCH_SIZE)));

    default Integer getGlobalBatchSize() {
        return get(GLOBAL_BATCH_SIZE);
    }

    default T setGlobalBatchSize(Integer value) {
        return set(GLOBAL_BATCH_SIZE, value);
    }
}
