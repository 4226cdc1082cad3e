package io.github.flinkps.flink.options;

import io.github.flinkps.flink.service.LocalServerBackend;
import io.github.flinkps.server.OptionType;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.server.ServerConfig.CutLimits;
import io.github.flinkps.server.ServerOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;

/**
 * The options of servers inside the TaskManagers: {@code server-KEY} for the server's option {@code
 * KEY}, made of its declaration. Where such a server listens, and to whom, is not asked for. Nor is
 * the time a cut may take, as the job's checkpoints say it.
 */
public final class EmbeddedServers {
    private static final Map<ConfigOption<?>, ServerOption<?>> MADE = made();

    private static final Set<ServerOption<?>> OF_CUTS =
            Set.of(CutLimits.HOLD_BYTES, CutLimits.SAVED_BYTES);

    private EmbeddedServers() {}

    private static Map<ConfigOption<?>, ServerOption<?>> made() {
        Map<ConfigOption<?>, ServerOption<?>> made = new LinkedHashMap<>();
        for (ServerOption<?> option : ServerConfig.OPTIONS) {
            if (!ServerConfig.OF_MACHINE.contains(option) && !option.equals(CutLimits.TIMEOUT)) {
                made.put(make(option), option);
            }
        }
        return made;
    }

    private static ConfigOption<?> make(ServerOption<?> option) {
        ConfigOption<?> made =
                typed(
                        ConfigOptions.key(LocalServerBackend.OPTION_PREFIX + option.key()),
                        option.type());
        String range = option.range().text();
        return made.withDescription(
                "For servers inside the TaskManagers: "
                        + option.description()
                        + " Unless set "
                        + option.defaultText()
                        + "."
                        + (range.isEmpty() ? "" : " Must be " + range + "."));
    }

    private static ConfigOption<?> typed(ConfigOptions.OptionBuilder option, OptionType<?> type) {
        if (type.equals(OptionType.COUNT)) {
            return option.intType().noDefaultValue();
        }
        if (type.equals(OptionType.MEMORY)) {
            return option.memoryType().noDefaultValue();
        }
        return type.equals(OptionType.TIME)
                ? option.durationType().noDefaultValue()
                : option.stringType().noDefaultValue();
    }

    /** Returns all of them, in the order of the server's. */
    static List<ConfigOption<?>> options() {
        return List.copyOf(MADE.keySet());
    }

    /** Returns whether an option is about cuts, which only jobs that train take. */
    static boolean isOfCuts(ConfigOption<?> option) {
        return OF_CUTS.contains(MADE.get(option));
    }

    /** Returns what is set, as texts by the keys of the server's options. */
    public static Map<String, String> given(Configuration options) {
        Map<String, String> given = new TreeMap<>();
        MADE.forEach(
                (made, option) ->
                        options.getOptional(made)
                                .ifPresent(value -> given.put(option.key(), text(value))));
        return given;
    }

    private static String text(Object value) {
        return value instanceof MemorySize size
                ? Long.toString(size.getBytes())
                : value instanceof Duration time ? time.toMillis() + "ms" : value.toString();
    }

    /**
     * Checks each value by its range.
     *
     * @throws IllegalArgumentException naming the option that is wrong
     */
    static void check(Configuration options) {
        Map<String, String> given = given(options);
        if (!given.isEmpty() && options.contains(PsOptions.REMOTE)) {
            throw new IllegalArgumentException(
                    LocalServerBackend.OPTION_PREFIX
                            + given.keySet().iterator().next()
                            + " is for servers inside the job, not for those of remote");
        }
        for (ServerOption<?> option : MADE.values()) {
            if (given.containsKey(option.key())) {
                try {
                    option.read(given.get(option.key()));
                } catch (IllegalArgumentException e) {
                    throw LocalServerBackend.refused(e);
                }
            }
        }
    }
}
