package io.github.flinkps.server;

import io.github.flinkps.common.Range;
import java.util.Map;
import java.util.function.Function;

/**
 * The declaration of one option of a server. The command line, the options of embedded servers and
 * the documentation are made from it.
 *
 * @param key hyphenated name
 * @param type how its values are written
 * @param range the values it takes
 * @param byDefault its value on a machine, if it is not set
 * @param defaultText that value in words
 * @param description what it does: a noun phrase
 */
public record ServerOption<T>(
        String key,
        OptionType<T> type,
        Range<T> range,
        Function<Machine, T> byDefault,
        String defaultText,
        String description) {
    /**
     * Declares an option whose default is the same on all machines.
     *
     * @param defaultText the default as users write it
     */
    ServerOption(
            String key,
            OptionType<T> type,
            Range<T> range,
            String defaultText,
            String description) {
        this(key, type, range, machine -> type.read().apply(defaultText), defaultText, description);
    }

    /**
     * The resources that a server has for itself.
     *
     * @param heap bytes
     * @param owners number of owner threads
     */
    public record Machine(long heap, int owners) {}

    /**
     * Returns the value that is given, or else the default.
     *
     * @param given texts of options by key
     * @throws IllegalArgumentException naming the option, if its value is wrong
     */
    T of(Map<String, String> given, Machine machine) {
        String text = given.get(key);
        return text == null ? byDefault.apply(machine) : read(text);
    }

    /**
     * Returns the value of a text.
     *
     * @throws IllegalArgumentException naming the option, if its value is wrong
     */
    public T read(String text) {
        T value;
        try {
            value = type.read().apply(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    key + " must be " + type.name() + ", not '" + text + "'", e);
        }
        return check(value);
    }

    /**
     * Returns the value.
     *
     * @throws IllegalArgumentException naming the option, if the value is out of range
     */
    T check(T value) {
        return range.check(key, value);
    }
}
