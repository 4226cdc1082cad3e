package io.github.flinkps.flink.ml.param;

import org.apache.flink.ml.param.IntParam;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.ParamValidators;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param factors. */
public interface HasFactors<T> extends WithParams<T> {
    /** Length of the vectors that are learned; null: the algorithm's default. */
    Param<Integer> FACTORS =
            new IntParam(
                    "factors",
                    "Length of the vectors that are learned.",
                    null,
                    Checks.unsetOr(ParamValidators.gtEq(1)));

    default Integer getFactors() {
        return get(FACTORS);
    }

    default T setFactors(Integer value) {
        return set(FACTORS, value);
    }
}
