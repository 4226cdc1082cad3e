package io.github.flinkps.flink.ml.param;

import io.github.flinkps.flink.options.PsOptions;
import org.apache.flink.ml.param.IntParam;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param servers. */
public interface HasServers<T> extends WithParams<T> {
    /**
     * Number of parameter servers inside the TaskManagers; null: one, unless there are remote ones.
     */
    Param<Integer> SERVERS = OptionParams.unset(PsOptions.SERVERS, IntParam::new);

    default Integer getServers() {
        return get(SERVERS);
    }

    default T setServers(Integer value) {
        return set(SERVERS, value);
    }
}
