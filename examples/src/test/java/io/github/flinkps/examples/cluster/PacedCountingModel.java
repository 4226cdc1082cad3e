package io.github.flinkps.examples.cluster;

import io.github.flinkps.flink.algorithm.ModelOption;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.algorithm.TrainingModelFactory;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.testing.CountingModel;
import io.github.flinkps.flink.testing.ForwardingModel;
import io.github.flinkps.flink.testing.TestingFailures;
import java.util.List;
import java.util.Map;

/** Counts rows, each mini-batch in some milliseconds at least, however fast the machine is. */
public final class PacedCountingModel extends ForwardingModel {
    /** The name by which SQL knows it. */
    static final String NAME = "paced-counting";

    private static final long serialVersionUID = 1L;
    private static final long PAUSE_MILLIS = 5;

    private PacedCountingModel() {
        super(new CountingModel(TestingFailures.some(NAME, 1, 0)));
    }

    @Override
    protected void before(RowBatch rows) {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the task is cancelled", e);
        }
    }

    /** Makes models that SQL can name. */
    public static final class Factory implements TrainingModelFactory {
        @Override
        public String name() {
            return NAME;
        }

        @Override
        public String description() {
            return "counts of rows, slowly";
        }

        @Override
        public List<ModelOption> options() {
            return List.of();
        }

        @Override
        public TrainingModel create(Map<String, String> options) {
            return new PacedCountingModel();
        }
    }
}
