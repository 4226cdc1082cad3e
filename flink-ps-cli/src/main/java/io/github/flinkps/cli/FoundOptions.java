package io.github.flinkps.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Options of a command that are declared by what is found on the class path. */
final class FoundOptions {
    private FoundOptions() {}

    /**
     * Adds the option {@code --NAME} to a command.
     *
     * @param type of its value; {@code Boolean}: a switch without one
     * @param phrase what it does
     * @param takers the defaults, by what takes the option
     * @throws IllegalStateException if the command has an option of that name
     */
    static void add(
            CommandSpec command,
            String name,
            Class<?> type,
            String phrase,
            Map<String, String> takers) {
        if (command.findOption("--" + name) != null) {
            throw new IllegalStateException(
                    "option '"
                            + name
                            + "' of "
                            + String.join(", ", takers.keySet())
                            + " needs another name: "
                            + command.name()
                            + " has --"
                            + name
                            + " already");
        }
        command.addOption(
                OptionSpec.builder("--" + name)
                        .type(type)
                        .arity(type == Boolean.class ? "0" : "1")
                        .paramLabel(label(type))
                        .description(describe(phrase, takers))
                        .build());
    }

    private static String label(Class<?> type) {
        return type == Long.class
                ? "N"
                : type == Double.class ? "X" : type == Boolean.class ? "" : "TEXT";
    }

    private static String describe(String phrase, Map<String, String> takers) {
        return Character.toUpperCase(phrase.charAt(0))
                + phrase.substring(1)
                + " ("
                + String.join(", ", takers.keySet())
                + "). Default: "
                + defaults(takers)
                + ".";
    }

    /** Returns the most usual default, and in brackets those of takers that have another. */
    private static String defaults(Map<String, String> takers) {
        Map<String, List<String>> names = new TreeMap<>();
        takers.forEach(
                (name, value) -> names.computeIfAbsent(value, any -> new ArrayList<>()).add(name));
        String usual =
                names.keySet().stream()
                        .max(Comparator.comparingInt(value -> names.get(value).size()))
                        .orElseThrow();
        names.remove(usual);
        List<String> others = new ArrayList<>();
        names.forEach((value, of) -> of.forEach(name -> others.add(name + ": " + value)));
        return others.isEmpty() ? usual : usual + " (" + String.join("; ", others) + ")";
    }
}
