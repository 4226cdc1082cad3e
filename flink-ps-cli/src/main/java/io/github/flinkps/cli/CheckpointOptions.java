package io.github.flinkps.cli;

import io.github.flinkps.cli.job.CheckpointChoice;
import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.model.LocalModelStorage;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The options that say whether a training takes checkpoints, and what is kept of them. */
final class CheckpointOptions {
    private static final String ROOT = "--model-root";

    @Option(
            names = "--checkpoint-interval",
            paramLabel = "TIME",
            description =
                    "Time between checkpoints. After a failure training goes on from the last"
                            + " one, up to three times. The end of training waits for the next"
                            + " one. The model's part of each, a cut, is kept in default/model"
                            + " below --model-root, or with --remote in default/run-.., which"
                            + " servers must see too. Cuts are for model list, model export and"
                            + " --start-cut.")
    private Duration interval;

    private String root;

    void check(Usage usage) {
        root = (String) usage.value(ROOT);
        usage.require(
                interval == null || !interval.isZero(), "--checkpoint-interval must be above 0");
        usage.require(
                (interval == null) == (root == null),
                "--checkpoint-interval and --model-root go together: how often, and where");
        if (root != null) {
            folder();
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
