package io.github.flinkps.flink.ml.param;

import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.StringParam;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param userCol. */
public interface HasUserCol<T> extends WithParams<T> {
    /** The column of users: texts or whole numbers. */
    Param<String> USER_COL =
            new StringParam("userCol", "User column name.", "user", Checks.named());

    default String getUserCol() {
        return get(USER_COL);
    }

    default T setUserCol(String value) {
        return set(USER_COL, value);
    }
}
