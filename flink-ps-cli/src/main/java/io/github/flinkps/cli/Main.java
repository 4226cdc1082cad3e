package io.github.flinkps.cli;

import io.github.flinkps.cli.job.JobOptions;
import io.github.flinkps.cli.progress.Terminal;
import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelStorage;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The entry of {@code bin/flink-ps}. */
public final class Main {
    private static final String TRAIN = "train";

    private Main() {}

    public static void main(String[] arguments) {
        PrintWriter out = new PrintWriter(System.out, true, Charset.defaultCharset());
        Terminal terminal = Terminal.detect(out, System.getenv());
        if (terminal.isLive()) {
            System.setErr(terminal.guard(System.err));
        }
        PrintWriter err = new PrintWriter(System.err, true, Charset.defaultCharset());
        System.exit(run(terminal, err, arguments));
    }

    /**
     * Runs a command in this process.
     *
     * @return the exit code
     */
    public static int run(PrintWriter out, PrintWriter err, String... arguments) {
        return run(Terminal.plain(out), err, arguments);
    }

    /**
     * Runs a command; see {@link #run(PrintWriter, PrintWriter, String...)}.
     *
     * @param storage in which {@code server} keeps cuts, in the place of this machine's
     */
    public static int run(
            ModelStorage storage, PrintWriter out, PrintWriter err, String... arguments) {
        return run(new RootCommand(Terminal.plain(out), storage), err, arguments);
    }

    static int run(Terminal terminal, PrintWriter err, String... arguments) {
        return run(new RootCommand(terminal, new LocalModelStorage()), err, arguments);
    }

    private static int run(RootCommand root, PrintWriter err, String... arguments) {
        CommandLine commandLine;
        try {
            commandLine = commandLine(root, err, arguments);
        } catch (CommandException e) {
            err.println("flink-ps: " + e.getMessage());
            err.flush();
            return ExitCodes.FAILED;
        }
        int code = commandLine.execute(arguments);
        if (code == ExitCodes.OK && root.terminal.out().checkError()) {
            err.println("flink-ps: " + ErrorHandlers.NO_OUTPUT);
            err.flush();
            return ExitCodes.FAILED;
        }
        return code;
    }

    static CommandLine commandLine(PrintWriter out, PrintWriter err) {
        return commandLine(new RootCommand(Terminal.plain(out), new LocalModelStorage()), err);
    }

    /** Returns whether the first command that is named is this one. */
    private static boolean isFirst(CommandLine commandLine, String command, String... arguments) {
        return Stream.of(arguments)
                .filter(commandLine.getSubcommands()::containsKey)
                .findFirst()
                .equals(Optional.of(command));
    }

    /** Adds what is made of the declarations of a job's options, which are Flink's. */
    private static void addJobOptions(CommandLine commandLine) {
        Map<String, CommandLine> commands = commandLine.getSubcommands();
        CommandOptions.addTo(commands.get(TRAIN).getCommandSpec(), JobOptions.ofTraining());
        CommandOptions.addTo(commands.get("evaluate").getCommandSpec(), JobOptions.ofScoring(true));
        CommandOptions.addTo(commands.get("predict").getCommandSpec(), JobOptions.ofScoring(false));
    }

    /**
     * Adds the options of algorithms and optimizers on the class path.
     *
     * @param needed whether they are used; if not, one that is broken breaks nothing else
     */
    private static void addFoundOptions(CommandLine commandLine, boolean needed) {
        CommandSpec train = commandLine.getSubcommands().get(TRAIN).getCommandSpec();
        try {
            AlgorithmOptions.addTo(train);
            OptimizerOptions.addTo(train);
        } catch (RuntimeException e) {
            if (needed) {
                throw new CommandException(
                        "an algorithm or optimizer of FLINK_PS_CLASSPATH cannot be used: "
                                + e.getMessage(),
                        e);
            }
        }
    }

    private static CommandLine commandLine(RootCommand root, PrintWriter err, String... arguments) {
        CommandLine commandLine = new CommandLine(root);
        for (Subcommand found : ServiceLoader.load(Subcommand.class)) {
            commandLine.addSubcommand(found);
        }
        if (!isFirst(commandLine, "server", arguments)) { // which may not load Flink
            addJobOptions(commandLine);
        }
        addFoundOptions(commandLine, isFirst(commandLine, TRAIN, arguments));
        ServerCommand.addOptions(commandLine.getSubcommands().get("server").getCommandSpec());
        commandLine.setOut(root.terminal.out()).setErr(err);
        commandLine.setUsageHelpAutoWidth(true).setUsageHelpLongOptionsMaxWidth(30);
        commandLine.setAbbreviatedOptionsAllowed(false);
        commandLine.setAllowOptionsAsOptionParameters(false);
        commandLine.setOverwrittenOptionsAllowed(false);
        commandLine.registerConverter(Duration.class, new DurationConverter());
        commandLine.registerConverter(Path.class, new LocalPathConverter());
        ErrorHandlers.install(commandLine);
        commandLine.setExecutionStrategy(
                parsed -> {
                    LogOptions.apply(parsed);
                    return new CommandLine.RunLast().execute(parsed);
                });
        return commandLine;
    }
}
