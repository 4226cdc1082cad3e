package io.github.flinkps.flink.ml.param;

import io.github.flinkps.flink.options.PsOptions;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.StringParam;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param saveInterval. */
public interface HasSaveInterval<T> extends WithParams<T> {
    /** Time between two versions, such as {@code 30 s}. */
    Param<String> SAVE_INTERVAL =
            new StringParam(
                    OptionParams.name(PsOptions.SAVE_INTERVAL),
                    "Time between two versions of the model.",
                    "1 min",
                    Checks.duration());

    default String getSaveInterval() {
        return get(SAVE_INTERVAL);
    }

    default T setSaveInterval(String value) {
        return set(SAVE_INTERVAL, value);
    }
}
