package io.github.flinkps.flink.ml.param;

import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.StringParam;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param hidden. */
public interface HasHidden<T> extends WithParams<T> {
    /** Widths of the hidden layers, separated by commas; null: the algorithm's default. */
    Param<String> HIDDEN =
            new StringParam(
                    "hidden",
                    "Widths of the hidden layers, separated by commas.",
                    null,
                    Checks.unsetOr(Checks.named()));

    default String getHidden() {
        return get(HIDDEN);
    }

    default T setHidden(String value) {
        return set(HIDDEN, value);
    }
}
