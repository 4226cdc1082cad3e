package io.github.flinkps.flink.algorithm;

import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.data.Labels;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** The base of all models of this package. */
abstract class NamedModel implements TrainingModel {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final Labels labels;
    private final Map<String, String> options;

    NamedModel(String name, Labels labels, Map<String, String> options) {
        this.name = name;
        this.labels = labels;
        this.options = Collections.unmodifiableMap(new TreeMap<>(options));
    }

    /** Returns the same optimizer without regularisation, for biases. */
    static UpdateSpec unregularised(UpdateSpec update) {
        TreeMap<String, Double> plain = new TreeMap<>(update.options());
        plain.remove("l1");
        plain.remove("l2");
        return new UpdateSpec(update.name(), plain);
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Map<String, String> options() {
        return options;
    }

    @Override
    public final Labels labels() {
        return labels;
    }
}
