package io.github.flinkps.flink.training.worker;

import io.github.flinkps.client.PushFilter;
import io.github.flinkps.client.ValueEncodings;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.service.ValidationSpec;
import io.github.flinkps.flink.testing.TestingCuts;
import io.github.flinkps.flink.training.Shuffle;
import io.github.flinkps.flink.training.cut.CutSettings;
import io.github.flinkps.flink.training.rows.BatchGrowth;
import io.github.flinkps.flink.training.worker.TrainingSettings.Intake;
import io.github.flinkps.flink.training.worker.TrainingSettings.ModelRun;
import io.github.flinkps.flink.training.worker.TrainingSettings.Pace;
import io.github.flinkps.flink.training.worker.TrainingSettings.Passes;
import io.github.flinkps.flink.training.worker.TrainingSettings.Waits;
import java.nio.file.Path;
import java.time.Duration;

/** Settings of workers in tests: the one place that knows what there is to set. */
public final class TestingSettings {
    public int batchSize = 10;
    public int epochs = 1;
    public ConsistencySpec consistency = ConsistencySpec.bsp();
    public int prefetch = 1;
    public ValidationSpec validation;
    public int bufferRows = 1000;
    public long rowMemory = 1 << 20;
    public Duration linger = Duration.ZERO;
    public Duration idleTimeout = Duration.ZERO;
    public Duration progressInterval = Duration.ZERO;
    public Duration timeout = Duration.ofSeconds(10);
    public PushFilter filter;
    public CutSettings cuts = cuts(false);

    private final String root;

    /**
     * Begins settings of model {@code m} in run {@code run}.
     *
     * @param root of the model
     */
    public TestingSettings(Path root) {
        this.root = root.toUri().toString();
    }

    /** Returns those of a worker that scores. */
    public static TrainingSettings scoring(Path root) {
        TestingSettings settings = new TestingSettings(root);
        settings.consistency = ConsistencySpec.asp();
        settings.cuts = null;
        return settings.build();
    }

    static CutSettings cuts(boolean checkpoints) {
        return new CutSettings(
                checkpoints, TestingCuts.publisher(), Duration.ofSeconds(10), 1, false);
    }

    /** Makes them. */
    public TrainingSettings build() {
        return new TrainingSettings(
                new ModelRun("m", root, "run"),
                new Passes(BatchGrowth.none(batchSize), epochs, 7, Shuffle.BATCHES, validation),
                new Pace(consistency, prefetch, filter, ValueEncodings.EXACT),
                new Intake(bufferRows, 1, rowMemory, linger, idleTimeout),
                new Waits(progressInterval, timeout),
                cuts);
    }
}
