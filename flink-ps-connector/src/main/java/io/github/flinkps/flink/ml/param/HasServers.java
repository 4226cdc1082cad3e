package io.github.flinkps.flink.ml.param;

import org.apache.flink.ml.param.IntParam;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.ParamValidators;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param servers. */
public interface HasServers<T> extends WithParams<T> {
    /**
     * Number of parameter servers inside the TaskManagers; null: one, unless there are remote ones.
     */
    Param<Integer> SERVERS =
            new IntParam(
                    "servers",
                    "Number of parameter servers inside the TaskManagers.",
                    null,
                    Checks.unsetOr(ParamValidators.gtEq(1)));

    default Integer getServers() {
        return get(SERVERS);
    }

    default T setServers(Integer value) {
        return set(SERVERS, value);
    }
}
