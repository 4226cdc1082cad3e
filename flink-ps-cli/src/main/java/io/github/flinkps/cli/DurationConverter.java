package io.github.flinkps.cli;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a time such as {@code 500ms}, {@code 60s}, {@code 5m} or {@code 1h}. */
final class DurationConverter implements ITypeConverter<Duration> {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,9})\\s*(ms|s|m|min|h)");

    @Override
    public Duration convert(String value) {
        Matcher matcher = FORM.matcher(value.trim().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new TypeConversionException(
                    "'" + value + "' is not a time such as 500ms, 60s, 5m or 1h");
        }
        long count = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(count);
            case "s" -> Duration.ofSeconds(count);
            case "h" -> Duration.ofHours(count);
            default -> Duration.ofMinutes(count);
        };
    }
}
