package io.github.flinkps.flink.ml.param;

import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.StringParam;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param labelCol. */
public interface HasLabelCol<T> extends WithParams<T> {
    /** The column that is learned. */
    Param<String> LABEL_COL =
            new StringParam("labelCol", "Label column name.", "label", Checks.named());

    default String getLabelCol() {
        return get(LABEL_COL);
    }

    default T setLabelCol(String value) {
        return set(LABEL_COL, value);
    }
}
