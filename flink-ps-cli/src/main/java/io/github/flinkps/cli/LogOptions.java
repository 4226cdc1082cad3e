package io.github.flinkps.cli;

import java.util.List;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LoggerContext;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;

/**
 * The options of every command for how much is logged to standard error; see {@code log4j2.xml}.
 */
final class LogOptions {
    private static final List<String> LEVELS =
            List.of("off", "error", "warn", "info", "debug", "trace");
    private static final String LEVEL_OPTION = "--log-level";
    private static final String DEBUG_OPTION = "--debug";

    @Option(
            names = LEVEL_OPTION,
            paramLabel = "LEVEL",
            scope = ScopeType.INHERIT,
            description =
                    "Level of the log on standard error: off, error, warn, info, debug or trace"
                            + " (trace: one line per message that a server takes too, and of Flink"
                            + " info). Without it FLINK_PS_LOG, else warn, or error with --quiet,"
                            + " without Flink's own.")
    String level;

    @Option(
            names = DEBUG_OPTION,
            scope = ScopeType.INHERIT,
            description = "Stack traces of errors.")
    boolean debug;

    static boolean debug(CommandLine command) {
        return Boolean.TRUE.equals(value(command.getParseResult(), DEBUG_OPTION));
    }

    /** Sets logging up as the command line says. */
    static void apply(ParseResult parsed) {
        ParseResult last = parsed;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        String level = (String) value(last, LEVEL_OPTION);
        boolean quiet = last.hasMatchedOption("--quiet");
        boolean traces = Boolean.TRUE.equals(value(last, DEBUG_OPTION));
        if (level != null) {
            Usage usage = new Usage(last.commandSpec());
            String name = usage.choice(LEVEL_OPTION, level, LEVELS);
            System.setProperty("flink-ps.log", name);
            // One line per message is for reading: Flink's own traces would bury it.
            System.setProperty("flink-ps.log.flink", name.equals("trace") ? "info" : name);
        }
        if (traces) {
            System.setProperty("flink-ps.log.exceptions", "%xEx");
        }
        if (quiet) {
            System.setProperty("flink-ps.log.default", "error");
        }
        if (level != null || traces || quiet) {
            ((LoggerContext) LogManager.getContext(false)).reconfigure();
        }
    }

    private static Object value(ParseResult parsed, String option) {
        return parsed.commandSpec().findOption(option).getValue();
    }
}
