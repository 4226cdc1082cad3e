package io.github.flinkps.flink.ml.param;

import io.github.flinkps.flink.options.PsOptions;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.StringParam;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param modelRoot. */
public interface HasModelRoot<T> extends WithParams<T> {
    /**
     * Folder of models, on storage that all processes of a job see; null: below Java's temporary
     * folder.
     */
    Param<String> MODEL_ROOT = OptionParams.unset(PsOptions.MODEL_ROOT, StringParam::new);

    default String getModelRoot() {
        return get(MODEL_ROOT);
    }

    default T setModelRoot(String value) {
        return set(MODEL_ROOT, value);
    }
}
