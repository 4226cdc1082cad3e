package io.github.flinkps.flink.ml.param;

import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.StringParam;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param itemCol. */
public interface HasItemCol<T> extends WithParams<T> {
    /** The column of items: texts or whole numbers. */
    Param<String> ITEM_COL =
            new StringParam("itemCol", "Item column name.", "item", Checks.named());

    default String getItemCol() {
        return get(ITEM_COL);
    }

    default T setItemCol(String value) {
        return set(ITEM_COL, value);
    }
}
