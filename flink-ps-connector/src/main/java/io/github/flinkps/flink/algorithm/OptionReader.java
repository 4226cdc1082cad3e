package io.github.flinkps.flink.algorithm;

import io.github.flinkps.common.UpdateSpec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads the options a model is made of, and says which one is wrong. */
public final class OptionReader {
    private final Map<String, String> options;

    public OptionReader(Map<String, String> options) {
        this.options = Map.copyOf(options);
    }

    /** Returns the text of an option, or the default. */
    public String text(String name, String byDefault) {
        return options.getOrDefault(name, byDefault);
    }

    /**
     * Returns one of several words.
     *
     * @throws IllegalArgumentException naming the option that is none of them, and what they are
     */
    public String choice(String name, String byDefault, List<String> choices) {
        String text = text(name, byDefault);
        if (!choices.contains(text)) {
            throw new IllegalArgumentException(
                    name
                            + " must be one of "
                            + String.join(", ", choices)
                            + ", not '"
                            + text
                            + "'");
        }
        return text;
    }

    /**
     * Returns an option that is true or false.
     *
     * @throws IllegalArgumentException naming the option that is neither
     */
    public boolean flag(String name) {
        return choice(name, "false", List.of("false", "true")).equals("true");
    }

    /**
     * Refuses to go on without an option.
     *
     * @throws IllegalArgumentException naming the option that is missing
     */
    public void require(ModelOption option) {
        if (!options.containsKey(option.name())) {
            throw new IllegalArgumentException(
                    option.name() + " must be given: the " + option.description());
        }
    }

    /**
     * Returns a whole number.
     *
     * @throws IllegalArgumentException naming the option that is none, or out of range
     */
    public long whole(String name, long byDefault, long low, long high) {
        String text = options.get(name);
        if (text == null) {
            return byDefault;
        }
        long value;
        try {
            value = Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    name + " must be a whole number, not '" + text + "'", e);
        }
        if (value < low || value > high) {
            throw new IllegalArgumentException(
                    name
                            + " must be "
                            + (high == Long.MAX_VALUE || high == Integer.MAX_VALUE
                                    ? "at least " + low
                                    : "between " + low + " and " + high)
                            + ", not "
                            + value);
        }
        return value;
    }

    /** Reads a whole number that is an int; see {@link #whole}. */
    public int count(String name, int byDefault, int low, int high) {
        return Math.toIntExact(whole(name, byDefault, low, high));
    }

    /**
     * Returns a number.
     *
     * @throws IllegalArgumentException naming the option that is none, or out of range
     */
    public double number(String name, double byDefault, double low, double high) {
        String text = options.get(name);
        if (text == null) {
            return byDefault;
        }
        double value = parse(name, text);
        if (!(value >= low && value <= high)) {
            throw new IllegalArgumentException(
                    name + " must be between " + low + " and " + high + ", not " + text);
        }
        return value;
    }

    private static double parse(String name, String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " must be a number, not '" + text + "'", e);
        }
    }

    /**
     * Returns what makes the same model again: its own options as far as they were given, and the
     * optimizer with its options.
     */
    public Map<String, String> given(Iterable<ModelOption> own, UpdateSpec update) {
        TreeMap<String, String> named = new TreeMap<>();
        named.put("optimizer", update.name());
        update.options().forEach((key, value) -> named.put(key, value.toString()));
        for (ModelOption option : own) {
            if (options.containsKey(option.name())) {
                named.put(option.name(), options.get(option.name()));
            }
        }
        return named;
    }

    /**
     * Returns the optimizer: option {@code optimizer}, with all options that are not the model's
     * own.
     *
     * @param own options of the model
     * @param byDefault the optimizer when none is named; other options then change it
     */
    public UpdateSpec update(Iterable<ModelOption> own, UpdateSpec byDefault) {
        TreeMap<String, String> rest = new TreeMap<>(options);
        rest.remove("optimizer");
        own.forEach(option -> rest.remove(option.name()));
        String name = options.get("optimizer");
        UpdateSpec update = name == null ? byDefault : UpdateSpec.of(name);
        for (Map.Entry<String, String> option : rest.entrySet()) {
            update = update.with(option.getKey(), parse(option.getKey(), option.getValue()));
        }
        return update;
    }
}
