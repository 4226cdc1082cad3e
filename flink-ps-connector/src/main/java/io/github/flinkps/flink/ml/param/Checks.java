package io.github.flinkps.flink.ml.param;

import io.github.flinkps.flink.options.PsOptions;
import java.time.Duration;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.ml.param.ParamValidator;

/** Validators that Flink ML has none of. */
final class Checks {
    private Checks() {}

    /** Null, for what is not set, or what another one takes. */
    static <T> ParamValidator<T> unsetOr(ParamValidator<T> check) {
        return value -> value == null || check.validate(value);
    }

    /** Returns a name or path, which is not empty. */
    static ParamValidator<String> named() {
        return value -> value != null && !value.isBlank();
    }

    /** Any number of names. */
    static ParamValidator<String[]> allNamed() {
        return values -> {
            for (String value : values == null ? new String[1] : values) {
                if (!named().validate(value)) {
                    return false;
                }
            }
            return true;
        };
    }

    /** Returns one name at least. */
    static ParamValidator<String[]> someNamed() {
        return values -> values != null && values.length > 0 && allNamed().validate(values);
    }

    /** Returns a number of which there is an end. */
    static ParamValidator<Double> finite(ParamValidator<Double> check) {
        return value -> value != null && Double.isFinite(value) && check.validate(value);
    }

    /** Returns a duration above 0, as options have it. */
    static ParamValidator<String> duration() {
        return value -> {
            try {
                Duration read =
                        Configuration.fromMap(Map.of(PsOptions.SAVE_INTERVAL.key(), value))
                                .get(PsOptions.SAVE_INTERVAL);
                return !read.isNegative() && !read.isZero();
            } catch (IllegalArgumentException | NullPointerException e) {
                return false;
            }
        };
    }
}
