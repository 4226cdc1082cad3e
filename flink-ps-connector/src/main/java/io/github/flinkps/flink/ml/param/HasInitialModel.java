package io.github.flinkps.flink.ml.param;

import io.github.flinkps.flink.options.PsOptions;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.StringParam;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param initialModel. */
public interface HasInitialModel<T> extends WithParams<T> {
    /** The path of a version, as model data names it, to train on; null: from scratch. */
    Param<String> INITIAL_MODEL = OptionParams.of(PsOptions.INITIAL_MODEL, StringParam::new);

    default String getInitialModel() {
        return get(INITIAL_MODEL);
    }

    default T setInitialModel(String value) {
        return set(INITIAL_MODEL, value);
    }
}
