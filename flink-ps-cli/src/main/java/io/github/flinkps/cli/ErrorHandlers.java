package io.github.flinkps.cli;

import io.github.flinkps.cli.run.Failures;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Turns what went wrong into one message and an exit code; stack traces only with {@code --debug}.
 */
final class ErrorHandlers {
    static final String NO_OUTPUT = "cannot write to standard output";

    private ErrorHandlers() {}

    static void install(CommandLine commandLine) {
        commandLine.setParameterExceptionHandler(ErrorHandlers::usage);
        commandLine.setExecutionExceptionHandler(
                (failure, command, parsed) -> failed(failure, command));
    }

    private static int usage(ParameterException problem, String[] arguments) {
        CommandLine command = problem.getCommandLine();
        PrintWriter err = command.getErr();
        String message =
                problem instanceof UnmatchedArgumentException unmatched
                        ? unmatched(unmatched)
                        : lowerFirst(problem.getMessage());
        err.println("flink-ps: " + message);
        err.println("See '" + command.getCommandSpec().qualifiedName() + " --help'.");
        err.flush();
        return ExitCodes.USAGE;
    }

    private static String unmatched(UnmatchedArgumentException problem) {
        String typed = problem.getUnmatched().get(0);
        CommandSpec spec = problem.getCommandLine().getCommandSpec();
        if (problem.isUnknownOption()) {
            String name = typed.contains("=") ? typed.substring(0, typed.indexOf('=')) : typed;
            List<String> options = new ArrayList<>();
            spec.options().forEach(option -> options.addAll(Arrays.asList(option.names())));
            return "unknown option '" + name + "'" + Suggestions.didYouMean(name, options);
        }
        if (!spec.subcommands().isEmpty()) {
            return "unknown command '"
                    + typed
                    + "'"
                    + Suggestions.didYouMean(typed, spec.subcommands().keySet());
        }
        return "'" + typed + "' is not expected here";
    }

    private static String lowerFirst(String message) {
        return message.isEmpty() || message.length() > 1 && Character.isUpperCase(message.charAt(1))
                ? message
                : message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
    }

    /** Tells of what went wrong without being a failure. */
    static void warn(CommandLine command, List<String> warnings) {
        PrintWriter err = command.getErr();
        warnings.forEach(warning -> err.println("flink-ps: warning: " + warning));
        err.flush();
    }

    /** Tells of a failure; returns the exit code. */
    static int failed(Exception failure, CommandLine command) {
        PrintWriter err = command.getErr();
        err.println("flink-ps: " + Failures.message(failure));
        if (LogOptions.debug(command)) {
            failure.printStackTrace(err);
        }
        err.flush();
        return ExitCodes.FAILED;
    }
}
