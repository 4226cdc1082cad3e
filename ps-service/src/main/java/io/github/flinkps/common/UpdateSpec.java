package io.github.flinkps.common;

import java.io.Serializable;
import java.util.Map;
import java.util.TreeMap;

/**
 * Names the update function of a table and its numeric options. Functions are found on the class
 * path of the servers, the built-in ones included.
 *
 * @param name as registered by its factory
 * @param options by hyphenated name, such as {@code learning-rate}; an option the function does not
 *     know is refused when the table is created
 */
public record UpdateSpec(String name, Map<String, Double> options) implements Serializable {
    public UpdateSpec {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("update function needs a name");
        }
        options = java.util.Collections.unmodifiableMap(new TreeMap<>(options));
    }

    public static UpdateSpec of(String name) {
        return new UpdateSpec(name, Map.of());
    }

    public static UpdateSpec sgd(double learningRate) {
        return new UpdateSpec("sgd", Map.of("learning-rate", learningRate));
    }

    /** Returns a copy with one option set. */
    public UpdateSpec with(String option, double value) {
        Map<String, Double> changed = new TreeMap<>(options);
        changed.put(option, value);
        return new UpdateSpec(name, changed);
    }
}
