package io.github.flinkps.cli.job;

import io.github.flinkps.model.LocalModelStorage;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Checkpoints of a training, from which it goes on after a failure.
 *
 * @param interval between two of them
 * @param root folder below which the model's cuts are kept, and Flink's own part
 */
public record CheckpointChoice(Duration interval, Path root) {
    /** Name of the model below the folder, where the servers are in the job. */
    public static final String MODEL = "model";

    private static final int ATTEMPTS = 3;
    private static final Duration DELAY = Duration.ofSeconds(1);
    private static final int TOLERABLE_FAILURES = 10;

    void configure(StreamExecutionEnvironment environment) {
        Configuration configuration = new Configuration();
        configuration.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                "file://" + LocalModelStorage.path(root.resolve("checkpoints")));
        configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, interval);
        configuration.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, TOLERABLE_FAILURES);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, ATTEMPTS);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, DELAY);
        environment.configure(configuration);
    }
}
