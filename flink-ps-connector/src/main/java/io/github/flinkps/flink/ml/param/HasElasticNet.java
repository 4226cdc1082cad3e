package io.github.flinkps.flink.ml.param;

import org.apache.flink.ml.param.DoubleParam;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.ParamValidators;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param elasticNet. */
public interface HasElasticNet<T> extends WithParams<T> {
    /** The share of {@code reg} that is l1; the rest is l2. */
    Param<Double> ELASTIC_NET =
            new DoubleParam(
                    "elasticNet",
                    "ElasticNet parameter: the share of l1 in regularization.",
                    0.,
                    ParamValidators.inRange(0, 1));

    default Double getElasticNet() {
        return get(ELASTIC_NET);
    }

    default T setElasticNet(Double value) {
        return set(ELASTIC_NET, value);
    }
}
