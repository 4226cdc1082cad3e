package io.github.flinkps.flink.ml.param;

import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.StringArrayParam;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param labelValues. */
public interface HasLabelValues<T> extends WithParams<T> {
    /** The texts or numbers that are label 0, 1, ..; null: labels are numbers from 0 on. */
    Param<String[]> LABEL_VALUES =
            new StringArrayParam(
                    "labelValues",
                    "All labels, texts or numbers, in the order of raw predictions; needed for"
                            + " texts, and for numbers that are not 0, 1, and so on.",
                    null,
                    Checks.unsetOr(Checks.someNamed()));

    default String[] getLabelValues() {
        return get(LABEL_VALUES);
    }

    default T setLabelValues(String... value) {
        return set(LABEL_VALUES, value);
    }
}
