package io.github.flinkps.common;

import java.io.Serializable;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The update function of a table by name, with its numeric options. Built in: {@code sgd, momentum,
 * adagrad, rmsprop, adam, ftrl, add, assign}; others are found on the class path of the servers.
 *
 * @param name as registered by its factory
 * @param options by hyphenated name, such as {@code learning-rate}; an option the function does not
 *     know is refused when the table is created
 */
public record UpdateSpec(String name, Map<String, Double> options) implements Serializable {
    private static final Set<String> OF_MEAN = Set.of("sgd", "momentum", "rmsprop", "adam");

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

    /**
     * Returns whether a built-in function divides the gradients of a push by its weight. (Of others
     * that is not known here: false.)
     */
    public boolean stepsWithMean() {
        return OF_MEAN.contains(name);
    }

    /** Returns a copy with one option set. */
    public UpdateSpec with(String option, double value) {
        Map<String, Double> changed = new TreeMap<>(options);
        changed.put(option, value);
        return new UpdateSpec(name, changed);
    }
}
