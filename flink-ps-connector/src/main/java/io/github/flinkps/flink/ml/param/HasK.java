package io.github.flinkps.flink.ml.param;

import org.apache.flink.ml.param.IntParam;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.ParamValidators;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param k. */
public interface HasK<T> extends WithParams<T> {
    /** The number of the first places that are looked at. */
    Param<Integer> K =
            new IntParam("k", "Number of the first places.", 10, ParamValidators.gtEq(1));

    default Integer getK() {
        return get(K);
    }

    default T setK(Integer value) {
        return set(K, value);
    }
}
