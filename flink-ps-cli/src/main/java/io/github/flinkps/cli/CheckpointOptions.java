package io.github.flinkps.cli;

import io.github.flinkps.cli.job.CheckpointChoice;
import io.github.flinkps.flink.Guarantee;
import io.github.flinkps.model.LocalModelStorage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;

/** Whether a training takes checkpoints, and what is kept of them. */
final class CheckpointOptions {
    private static final List<String> GUARANTEES = List.of("exactly-once", "at-least-once");

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
                        + " and --from-cut.")
    private String root;

    @Option(
            names = "--keep-cuts",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Cuts of completed checkpoints to keep, the newest. What a failure goes back"
                            + " to, and one more, is kept anyway. Default: ${DEFAULT-VALUE}.")
    private int keepCuts;

    @Option(
            names = "--guarantee",
            paramLabel = "GUARANTEE",
            defaultValue = "exactly-once",
            description =
                    "How often a row counts after a failure. exactly-once: the model goes back to"
                            + " the checkpoint. at-least-once: servers of --remote that still have"
                            + " the model keep it as it is, and rows since the checkpoint count"
                            + " again. Default: ${DEFAULT-VALUE}.")
    private String guarantee;

    void check(Usage usage) {
        usage.require(
                interval == null || !interval.isZero(), "--checkpoint-interval must be above 0");
        usage.require(
                (interval == null) == (root == null),
                "--checkpoint-interval and --model-root go together: how often, and where");
        usage.require(
                interval != null || !usage.given("--keep-cuts"),
                "--keep-cuts goes with --checkpoint-interval only");
        usage.between("--keep-cuts", keepCuts, 1, Integer.MAX_VALUE);
        guarantee = usage.choice("--guarantee", guarantee, GUARANTEES);
        usage.require(
                interval != null || !usage.given("--guarantee"),
                "--guarantee goes with --checkpoint-interval only");
        usage.require(
                interval == null
                        || !usage.given("--validation-share") && !usage.given("--patience"),
                "--checkpoint-interval does not go with --validation-share and --patience");
        if (root != null && Files.exists(folder()) && !Files.isDirectory(folder())) {
            throw new CommandException("--model-root " + root + " is a file");
        }
    }

    /** Where the root is; of one that is given. */
    private Path folder() {
        try {
            return Path.of(LocalModelStorage.path(root));
        } catch (IllegalArgumentException e) {
            throw new CommandException(
                    "--model-root " + root + " is not a folder of this machine: " + e.getMessage(),
                    e);
        }
    }

    /** Null for none. */
    CheckpointChoice choice() {
        return interval == null
                ? null
                : new CheckpointChoice(interval, folder(), keepCuts, of(guarantee));
    }

    private static Guarantee of(String name) {
        return Guarantee.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
