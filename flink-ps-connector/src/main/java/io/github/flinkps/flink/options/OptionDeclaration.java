package io.github.flinkps.flink.options;

import io.github.flinkps.common.Range;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.description.HtmlFormatter;

/**
 * Declares an option, with the parts that Flink does not keep.
 *
 * @param option the option; its text says the range, too
 * @param range the values that it takes
 * @param further throws an {@link IllegalArgumentException} that names the option, for a value of
 *     the range that it does not take
 * @param uses the places where it is taken
 */
record OptionDeclaration<T>(
        ConfigOption<T> option, Range<T> range, Consumer<T> further, Set<OptionUse> uses) {
    static <T> OptionDeclaration<T> of(ConfigOption<T> option, Range<T> range, OptionUse... uses) {
        ConfigOption<T> declared =
                range.text().isEmpty()
                        ? option
                        : option.withDescription(
                                new HtmlFormatter().format(option.description())
                                        + " Must be "
                                        + range.text()
                                        + ".");
        return new OptionDeclaration<>(declared, range, value -> {}, Set.of(uses));
    }

    void check(ReadableConfig options) {
        options.getOptional(option).ifPresent(this::check);
    }

    void check(T value) {
        range.check(option.key(), value);
        further.accept(value);
    }
}
