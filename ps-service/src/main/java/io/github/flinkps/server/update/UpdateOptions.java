package io.github.flinkps.server.update;

import io.github.flinkps.common.UpdateSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The options of one update function: those of its {@link UpdateSpec}, else their defaults. */
public final class UpdateOptions {
    private final UpdateSpec spec;
    private final Map<String, UpdateOption> declared = new LinkedHashMap<>();

    /**
     * Checks the options of a spec.
     *
     * @throws IllegalArgumentException naming an option that the function does not know, or that is
     *     out of range
     */
    UpdateOptions(UpdateSpec spec, UpdateFunctionFactory factory) {
        this.spec = spec;
        of(factory).forEach(option -> declared.put(option.name(), option));
        for (String name : spec.options().keySet()) {
            if (!declared.containsKey(name)) {
                throw new IllegalArgumentException(
                        "update function '"
                                + spec.name()
                                + "' has no option '"
                                + name
                                + "'; it knows "
                                + (declared.isEmpty()
                                        ? "none"
                                        : String.join(", ", new TreeSet<>(declared.keySet()))));
            }
        }
        for (UpdateOption option : declared.values()) {
            double value = value(option.name());
            require(option.range().contains(value), option.name(), option.range().toString());
        }
    }

    /** Returns all options that a function takes, those of a schedule behind its own. */
    static List<UpdateOption> of(UpdateFunctionFactory factory) {
        List<UpdateOption> all = new ArrayList<>(factory.options());
        if (factory.isScheduled()) {
            all.addAll(LearningRate.options());
        }
        return all;
    }

    /**
     * Returns the value of an option.
     *
     * @throws IllegalArgumentException if the factory does not declare it
     */
    public double value(String name) {
        UpdateOption option = declared.get(name);
        if (option == null) {
            throw refusal("option '" + name + "' is read, but not declared");
        }
        return spec.options().getOrDefault(name, option.defaultValue());
    }

    /** Returns whether a switch is on. */
    public boolean flag(String name) {
        return value(name) == 1;
    }

    /** Returns the learning rate, which follows the schedule that the options name. */
    public LearningRate learningRate() {
        return new LearningRate(this);
    }

    /** Returns whether an option was set, rather than left at its default. */
    public boolean given(String name) {
        return spec.options().containsKey(name);
    }

    /**
     * Refuses an option whose range depends on others.
     *
     * @param range what it must be, such as {@code below 1}
     * @throws IllegalArgumentException naming the option unless the condition is met
     */
    public void require(boolean condition, String name, String range) {
        if (!condition) {
            throw refusal(name + " must be " + range + ", not " + value(name));
        }
    }

    /** Returns what refuses options that do not go together; names the function. */
    public IllegalArgumentException refusal(String message) {
        return new IllegalArgumentException(message + " (update function '" + spec.name() + "')");
    }
}
