package io.github.flinkps.flink.ml.param;

import org.apache.flink.ml.param.IntParam;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.ParamValidators;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param window. */
public interface HasWindow<T> extends WithParams<T> {
    /** Most words between a word and its context; null: the algorithm's default. */
    Param<Integer> WINDOW =
            new IntParam(
                    "window",
                    "Most words between a word and its context.",
                    null,
                    Checks.unsetOr(ParamValidators.gtEq(1)));

    default Integer getWindow() {
        return get(WINDOW);
    }

    default T setWindow(Integer value) {
        return set(WINDOW, value);
    }
}
