package io.github.flinkps.cli;

import io.github.flinkps.cli.job.CheckpointChoice;
import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.model.LocalModelStorage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The options that say whether a training takes checkpoints, and what is kept of them. */
final class CheckpointOptions {
    @Option(
            names = "--checkpoint-interval",
            paramLabel = "TIME",
            description =
                    "Take a checkpoint so often, and go on from the last one after a failure, up to"
                            + " three times. The end waits for the next one. Needs --model-root.")
    private Duration interval;

    @Option(
            names = "--model-root",
            paramLabel = "DIR",
            description =
                    "Folder of this machine, or its file: URI, for checkpoints; the model's part of"
                        + " each, a cut, is kept in default/model below it (with --remote, which"
                        + " must see the folder too, default/run-..), for model list, model export"
                        + " and --start-cut.")
    private String root;

    void check(Usage usage) {
        usage.require(
                interval == null || !interval.isZero(), "--checkpoint-interval must be above 0");
        usage.require(
                (interval == null) == (root == null),
                "--checkpoint-interval and --model-root go together: how often, and where");
        if (root != null && Files.exists(folder()) && !Files.isDirectory(folder())) {
            throw new CommandException("--model-root " + root + " is a file");
        }
    }

    /** Returns the folder of {@code --model-root}, which must be given. */
    private Path folder() {
        try {
            return Path.of(LocalModelStorage.path(root));
        } catch (IllegalArgumentException e) {
            throw new CommandException(
                    "--model-root " + root + " is not a folder of this machine: " + e.getMessage(),
                    e);
        }
    }

    /** Returns how often and where to take checkpoints, or null for none. */
    CheckpointChoice choice() {
        return interval == null ? null : new CheckpointChoice(interval, folder());
    }
}
