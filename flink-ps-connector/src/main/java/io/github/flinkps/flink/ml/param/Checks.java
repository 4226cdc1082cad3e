package io.github.flinkps.flink.ml.param;

import io.github.flinkps.flink.options.PsOptions;
import java.time.Duration;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.ml.param.ParamValidator;

/** Validators that Flink ML has none of. */
final class Checks {
    private Checks() {}

    /** Returns a validator that takes null, for what is not set, and what another one takes. */
    static <T> ParamValidator<T> unsetOr(ParamValidator<T> check) {
        return value -> value == null || check.validate(value);
    }

    /** Returns a validator that takes a name or path which is not blank. */
    static ParamValidator<String> named() {
        return value -> value != null && !value.isBlank();
    }

    /** Returns a validator that takes any number of names. */
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

    /** Returns a validator that takes at least one name. */
    static ParamValidator<String[]> someNamed() {
        return values -> values != null && values.length > 0 && allNamed().validate(values);
    }

    /** Returns a validator that takes a finite number which another one takes. */
    static ParamValidator<Double> finite(ParamValidator<Double> check) {
        return value -> value != null && Double.isFinite(value) && check.validate(value);
    }

    /** Returns a validator that takes a duration above 0, in the notation of options. */
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
