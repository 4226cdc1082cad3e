package io.github.flinkps.server.update;

import io.github.flinkps.common.UpdateSpec;
import java.util.Map;

/**
 * Reads the options of an {@link UpdateSpec}; a value out of range is refused by a message that
 * names the option.
 */
final class OptionReader {
    private final UpdateSpec spec;
    private final Map<String, Double> defaults;

    /**
     * @param defaults every option and its default
     */
    OptionReader(UpdateSpec spec, Map<String, Double> defaults) {
        this.spec = spec;
        this.defaults = defaults;
    }

    /** Returns the learning rate, above 0. */
    double learningRate() {
        return positive("learning-rate");
    }

    double positive(String option) {
        double value = value(option);
        return check(value > 0, option, "above 0", value);
    }

    double notNegative(String option) {
        double value = value(option);
        return check(value >= 0, option, "at least 0", value);
    }

    /** A share: at least 0 and below 1. */
    double belowOne(String option) {
        double value = value(option);
        return check(value >= 0 && (float) value < 1, option, "at least 0 and below 1", value);
    }

    /** Returns a switch: 0 or 1. */
    boolean flag(String option) {
        double value = value(option);
        return check(value == 0 || value == 1, option, "0 or 1", value) == 1;
    }

    /** Returns a whole number, at least 0. */
    double count(String option) {
        double value = value(option);
        return check(
                value >= 0 && value == Math.rint(value),
                option,
                "a whole number, at least 0,",
                value);
    }

    /** Returns whether the option was set, rather than left at its default. */
    boolean given(String option) {
        return spec.options().containsKey(option);
    }

    /** Returns what refuses options that do not go together. */
    IllegalArgumentException refusal(String message) {
        return new IllegalArgumentException(message + " (update function '" + spec.name() + "')");
    }

    private double value(String option) {
        return spec.options().getOrDefault(option, defaults.get(option));
    }

    double check(boolean ok, String option, String range, double value) {
        // what float arithmetic would turn into infinity or lose is as wrong as infinity itself
        boolean holds = ok && Float.isFinite((float) value) && (value == 0 || (float) value != 0);
        if (!holds) {
            throw new IllegalArgumentException(
                    option
                            + " must be "
                            + range
                            + " and finite, not "
                            + value
                            + " (update function '"
                            + spec.name()
                            + "')");
        }
        return value;
    }
}
