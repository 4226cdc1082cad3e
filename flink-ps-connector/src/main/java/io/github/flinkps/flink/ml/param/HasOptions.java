package io.github.flinkps.flink.ml.param;

import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.StringArrayParam;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param options. */
public interface HasOptions<T> extends WithParams<T> {
    /**
     * Further options of the algorithm, the optimizer or the job, each as {@code name=value}, by
     * their names in SQL.
     */
    Param<String[]> OPTIONS =
            new StringArrayParam(
                    "options",
                    "Further options, each as name=value.",
                    new String[0],
                    Checks.allNamed());

    default String[] getOptions() {
        return get(OPTIONS);
    }

    default T setOptions(String... value) {
        return set(OPTIONS, value);
    }
}
