package io.github.flinkps.server.update;

/**
 * A numeric option of an update function. What is declared here is all that command line, SQL,
 * Python and documents know of it.
 *
 * @param name hyphenated
 * @param defaultValue what it is when not given, within its range
 * @param range what it may be
 * @param description a phrase that says what it does
 */
public record UpdateOption(
        String name, double defaultValue, NumberRange range, String description) {
    /** The name of the learning rate, which a schedule may change. */
    public static final String LEARNING_RATE = "learning-rate";

    public UpdateOption {
        if (!range.contains(defaultValue)) {
            throw new IllegalArgumentException(
                    "default of option '"
                            + name
                            + "' must be "
                            + range
                            + ", not "
                            + NumberRange.text(defaultValue));
        }
    }

    /** Returns the option {@value #LEARNING_RATE}. */
    public static UpdateOption learningRate(double defaultValue) {
        return new UpdateOption(LEARNING_RATE, defaultValue, NumberRange.above(0), "learning rate");
    }

    /** Returns the option {@code l1}, 0 by default. */
    public static UpdateOption l1() {
        return new UpdateOption(
                "l1", 0, NumberRange.atLeast(0), "L1 coefficient of the mean objective");
    }

    /** Returns the option {@code l2}, 0 by default. */
    public static UpdateOption l2() {
        return new UpdateOption(
                "l2", 0, NumberRange.atLeast(0), "L2 coefficient of the mean objective");
    }

    /** Returns the option {@code epsilon}. */
    public static UpdateOption epsilon() {
        return new UpdateOption("epsilon", 1e-8, NumberRange.above(0), "added to the divisor");
    }

    /** Returns whether it is a switch, given without a value on the command line. */
    public boolean isFlag() {
        return range.equals(NumberRange.FLAG);
    }

    /** Returns the default for people, such as {@code 0.1}. */
    public String defaultText() {
        return NumberRange.text(defaultValue);
    }
}
