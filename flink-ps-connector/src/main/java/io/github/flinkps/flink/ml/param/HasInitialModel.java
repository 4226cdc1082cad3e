package io.github.flinkps.flink.ml.param;

import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.StringParam;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param initialModel. */
public interface HasInitialModel<T> extends WithParams<T> {
    /** The path of a version, as model data names it, to train on; null: from scratch. */
    Param<String> INITIAL_MODEL =
            new StringParam(
                    "initialModel",
                    "Directory of a saved model to train on.",
                    null,
                    Checks.unsetOr(Checks.named()));

    default String getInitialModel() {
        return get(INITIAL_MODEL);
    }

    default T setInitialModel(String value) {
        return set(INITIAL_MODEL, value);
    }
}
