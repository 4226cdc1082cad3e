package io.github.flinkps.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Options of a command that are declared by what is found on the class path. */
final class FoundOptions {
    private FoundOptions() {}

    /**
     * Adds the option {@code --NAME} to a command, unless the command has one of that name: then
     * {@link #check} refuses those that take it, and the others go on.
     *
     * @param kind of what takes it, such as {@code optimizer}
     * @param type of its value; {@code Boolean}: a switch without one
     * @param phrase what it does
     * @param takers the defaults, by what takes the option
     */
    static void add(
            CommandSpec command,
            String kind,
            String name,
            Class<?> type,
            String phrase,
            Map<String, String> takers) {
        if (command.findOption("--" + name) != null) {
            return;
        }
        command.addOption(
                OptionSpec.builder("--" + name)
                        .type(type)
                        .arity(type == Boolean.class ? "0" : "1")
                        .paramLabel(label(type))
                        .description(describe(phrase, takers))
                        .userObject(kind)
                        .build());
    }

    /**
     * Returns the declaration that says what an option is: that of a built-in, else the first.
     * Others may declare another type under the name, which {@link #check} refuses.
     *
     * @param takers the declarations, by what takes the option
     * @param builtIn whether a taker is
     */
    static <T> T declaration(Map<String, T> takers, Predicate<String> builtIn) {
        return takers.keySet().stream()
                .filter(builtIn)
                .findFirst()
                .map(takers::get)
                .orElseGet(() -> takers.values().iterator().next());
    }

    /**
     * Returns the value typed for an option that was added for that kind, or null.
     *
     * @param option without its hyphens
     */
    static Object value(Usage usage, String kind, String option) {
        return isOf(usage, kind, option) ? usage.value("--" + option) : null;
    }

    /**
     * Refuses what takes an option whose name on the command line is another's.
     *
     * @param factory that declares it
     * @param type of its value, as {@link #add} takes it
     */
    static void check(
            Usage usage, String kind, String taker, Object factory, String option, Class<?> type) {
        usage.require(
                isOf(usage, kind, option) && usage.option("--" + option).type() == type,
                kind
                        + " '"
                        + taker
                        + "' ("
                        + factory.getClass().getName()
                        + ") cannot be used here: the command has another --"
                        + option
                        + ", so its option '"
                        + option
                        + "' needs another name");
    }

    private static boolean isOf(Usage usage, String kind, String option) {
        return kind.equals(usage.option("--" + option).userObject());
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
