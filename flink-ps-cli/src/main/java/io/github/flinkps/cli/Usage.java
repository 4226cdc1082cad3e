package io.github.flinkps.cli;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** Checks of a command line that picocli does not know; a failed one ends in exit code 2. */
final class Usage {
    private final CommandLine command;

    Usage(CommandSpec spec) {
        this.command = spec.commandLine();
    }

    /** Returns what refuses the command line. */
    ParameterException refusal(String message) {
        return new ParameterException(command, message);
    }

    void require(boolean condition, String message) {
        if (!condition) {
            throw refusal(message);
        }
    }

    void between(String option, long value, long low, long high) {
        require(
                value >= low && value <= high,
                option
                        + " must be "
                        + (high == Long.MAX_VALUE || high == Integer.MAX_VALUE
                                ? "at least " + low
                                : "between " + low + " and " + high)
                        + ", not "
                        + value);
    }

    /** Returns the value in lower case, if it is one of the choices. */
    String choice(String option, String value, Collection<String> choices) {
        String name = value.toLowerCase(Locale.ROOT);
        require(
                choices.contains(name),
                option
                        + " must be one of "
                        + String.join(", ", choices)
                        + ", not '"
                        + value
                        + "'"
                        + Suggestions.didYouMean(value, choices));
        return name;
    }

    /** Returns an option of the command, or null. */
    OptionSpec option(String option) {
        return command.getCommandSpec().findOption(option);
    }

    /** Returns whether the option was typed, rather than left at its default. */
    boolean given(String option) {
        return command.getParseResult().hasMatchedOption(option);
    }

    /** Returns what was typed, as texts by the names of the options without their hyphens. */
    Map<String, String> typed() {
        Map<String, String> typed = new TreeMap<>();
        for (OptionSpec option : command.getParseResult().matchedOptions()) {
            Object value = option.getValue();
            typed.put(option.longestName().substring(2), value.toString());
        }
        return typed;
    }

    /** Returns the value typed for an option, or null. */
    Object value(String option) {
        return command.getParseResult().matchedOptionValue(option, (Object) null);
    }

    /** Returns the paths of an option, none of which may be empty. */
    List<String> paths(String option, List<String> values) {
        require(!values.isEmpty(), option + " holds an empty path");
        for (String value : values) {
            require(!value.isBlank(), option + " holds an empty path");
        }
        return List.copyOf(values);
    }
}
