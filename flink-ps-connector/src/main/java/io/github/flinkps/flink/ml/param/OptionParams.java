package io.github.flinkps.flink.ml.param;

import io.github.flinkps.common.Range;
import io.github.flinkps.flink.options.PsOptions;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.description.HtmlFormatter;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.ParamValidator;
import org.apache.flink.ml.param.ParamValidators;
import org.apache.flink.ml.param.StringParam;

/** Params that are options of jobs: names, texts and ranges are those of {@link PsOptions}. */
final class OptionParams {
    private static final Pattern WORD = Pattern.compile("-(.)");

    /**
     * A constructor of params.
     *
     * @param <P> its values
     */
    interface Kind<P> {
        Param<P> create(String name, String text, P byDefault, ParamValidator<P> check);
    }

    private OptionParams() {}

    /** Returns the param of an option that has the option's default, if it has one. */
    static <T> Param<T> of(ConfigOption<T> option, Kind<T> kind) {
        T byDefault = option.defaultValue();
        ParamValidator<T> check = check(option);
        return kind.create(
                name(option),
                text(option),
                byDefault,
                byDefault == null ? Checks.unsetOr(check) : check);
    }

    /** Returns the param of an option that is left to the job unless it is set. */
    static <T> Param<T> unset(ConfigOption<T> option, Kind<T> kind) {
        return kind.create(name(option), text(option), null, Checks.unsetOr(check(option)));
    }

    /** Returns the param of an option with few values, by their names. */
    static <E extends Enum<E>> Param<String> choice(ConfigOption<E> option) {
        E byDefault = option.defaultValue();
        String[] names =
                Stream.of(byDefault.getDeclaringClass().getEnumConstants())
                        .map(Enum::name)
                        .toArray(String[]::new);
        return new StringParam(
                name(option), text(option), byDefault.name(), ParamValidators.inArray(names));
    }

    /** Returns a validator that takes what the option takes, and no blank text. */
    static <T> ParamValidator<T> check(ConfigOption<T> option) {
        Range<T> range = PsOptions.range(option);
        return value ->
                value != null
                        && !(value instanceof String text && text.isBlank())
                        && range.includes().test(value);
    }

    /** Returns the option's key as names of params are written. */
    static String name(ConfigOption<?> option) {
        return WORD.matcher(option.key())
                .replaceAll(word -> word.group(1).toUpperCase(Locale.ROOT));
    }

    /** Returns what the option says of itself, with its range. */
    static String text(ConfigOption<?> option) {
        return new HtmlFormatter().format(option.description());
    }
}
