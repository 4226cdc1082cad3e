package io.github.flinkps.flink.ml.param;

import org.apache.flink.ml.param.IntParam;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.ParamValidators;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param classes. */
public interface HasClasses<T> extends WithParams<T> {
    /** Number of classes; labels are 0 to this, exclusively, unless they are named. */
    Param<Integer> CLASSES =
            new IntParam("classes", "Number of classes.", 2, ParamValidators.gt(1));

    default Integer getClasses() {
        return get(CLASSES);
    }

    default T setClasses(Integer value) {
        return set(CLASSES, value);
    }
}
