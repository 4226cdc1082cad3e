package io.github.flinkps.flink.ml.param;

import org.apache.flink.ml.param.LongParam;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.ParamValidators;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param numFeatures. */
public interface HasNumFeatures<T> extends WithParams<T> {
    /** Features are 0 to this, exclusively, and lie in a dense table; null: any number. */
    Param<Long> NUM_FEATURES =
            new LongParam(
                    "numFeatures",
                    "Number of features: makes a dense table of them.",
                    null,
                    Checks.unsetOr(ParamValidators.gtEq(1)));

    default Long getNumFeatures() {
        return get(NUM_FEATURES);
    }

    default T setNumFeatures(Long value) {
        return set(NUM_FEATURES, value);
    }

    default T setNumFeatures(long value) {
        return set(NUM_FEATURES, value);
    }
}
