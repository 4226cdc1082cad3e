package io.github.flinkps.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code flink-ps model}. */
@Command(
        name = "model",
        description =
                "Looks at saved models and at the cuts of models in training, makes models of"
                        + " these, and removes them.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        subcommands = {
            DescribeCommand.class,
            NeighboursCommand.class,
            ListCommand.class,
            ExportCommand.class,
            RemoveCommand.class
        })
final class ModelCommand implements Runnable {
    @Spec private CommandSpec spec;
    @Mixin HelpOption help;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "what to do with the model is missing: one of "
                        + String.join(", ", spec.subcommands().keySet()));
    }
}
