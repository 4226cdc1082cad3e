package io.github.flinkps.flink.ml.param;

import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.ParamValidators;
import org.apache.flink.ml.param.StringParam;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param task. */
public interface HasTask<T> extends WithParams<T> {
    /** The task of the model, which says whether labels are 0 and 1, or any numbers. */
    Param<String> TASK =
            new StringParam(
                    "task",
                    "classification or regression.",
                    "classification",
                    ParamValidators.inArray("classification", "regression"));

    default String getTask() {
        return get(TASK);
    }

    default T setTask(String value) {
        return set(TASK, value);
    }
}
