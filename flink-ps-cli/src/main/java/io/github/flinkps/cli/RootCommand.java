package io.github.flinkps.cli;

import io.github.flinkps.cli.progress.Terminal;
import io.github.flinkps.model.ModelStorage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code flink-ps}: what stands before a command. */
@Command(
        name = "flink-ps",
        description = "Trains models with Apache Flink over a sharded parameter server.",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        footer = {"", "'flink-ps COMMAND --help' says all options of a command."},
        subcommands = {
            TrainCommand.class,
            PredictCommand.class,
            EvaluateCommand.class,
            ServerCommand.class,
            KeysCommand.class,
            ModelCommand.class
        })
final class RootCommand implements Runnable {
    @Spec private CommandSpec spec;
    @Mixin LogOptions log;

    /** Standard output. */
    final Terminal terminal;

    /** The storage in which a server keeps cuts. */
    final ModelStorage storage;

    RootCommand(Terminal terminal, ModelStorage storage) {
        this.terminal = terminal;
        this.storage = storage;
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "a command is missing: one of " + String.join(", ", spec.subcommands().keySet()));
    }
}
