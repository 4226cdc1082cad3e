package io.github.flinkps.flink.ml.param;

import io.github.flinkps.flink.options.PsOptions;
import org.apache.flink.ml.param.LongParam;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param seed. */
public interface HasSeed<T> extends WithParams<T> {
    /** Seed of the order of mini-batches after the first pass. */
    Param<Long> SEED = OptionParams.of(PsOptions.SEED, LongParam::new);

    default Long getSeed() {
        return get(SEED);
    }

    default T setSeed(Long value) {
        return set(SEED, value);
    }

    default T setSeed(long value) {
        return set(SEED, value);
    }
}
