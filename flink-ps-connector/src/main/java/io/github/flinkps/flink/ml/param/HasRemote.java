package io.github.flinkps.flink.ml.param;

import io.github.flinkps.flink.options.PsOptions;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.StringArrayParam;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param remote. */
public interface HasRemote<T> extends WithParams<T> {
    /**
     * Addresses {@code host:port} of parameter servers that run already; null: servers inside the
     * TaskManagers.
     */
    Param<String[]> REMOTE =
            new StringArrayParam(
                    OptionParams.name(PsOptions.REMOTE),
                    OptionParams.text(PsOptions.REMOTE),
                    null,
                    Checks.unsetOr(Checks.someNamed()));

    default String[] getRemote() {
        return get(REMOTE);
    }

    default T setRemote(String... value) {
        return set(REMOTE, value);
    }
}
