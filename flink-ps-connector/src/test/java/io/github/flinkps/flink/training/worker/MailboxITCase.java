package io.github.flinkps.flink.training.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchTypeInfo;
import io.github.flinkps.flink.internal.compat.StreamGraphs;
import io.github.flinkps.flink.service.ServiceSource;
import io.github.flinkps.flink.service.ServiceSpec;
import io.github.flinkps.flink.testing.LocalCluster;
import io.github.flinkps.flink.testing.TestingParameterService;
import io.github.flinkps.flink.testing.TestingRows;
import io.github.flinkps.flink.training.TrainingProgress;
import io.github.flinkps.flink.training.WorkerReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Mini-batches that follow each other by mails hold back neither barriers nor watermarks, also
 * after the end of input 1.
 */
@Timeout(120)
class MailboxITCase {
    private static final int EPOCHS = 400;
    private static final AtomicInteger CHECKPOINTS = new AtomicInteger();

    @TempDir Path root;

    /** Emits for each record of progress the checkpoints completed so far, and the watermark. */
    private static final class Watch extends ProcessFunction<TrainingProgress, long[]>
            implements CheckpointListener {
        private static final long serialVersionUID = 1L;

        @Override
        public void processElement(
                TrainingProgress progress, Context context, Collector<long[]> out) {
            out.collect(
                    new long[] {
                        progress.epoch(),
                        CHECKPOINTS.get(),
                        context.timerService().currentWatermark()
                    });
        }

        @Override
        public void notifyCheckpointComplete(long checkpointId) {
            CHECKPOINTS.incrementAndGet();
        }
    }

    private TrainingSettings settings() {
        TestingSettings settings = new TestingSettings(root);
        settings.batchSize = 16;
        settings.epochs = EPOCHS;
        settings.consistency = ConsistencySpec.asp();
        settings.prefetch = 2;
        settings.rowMemory = 0;
        settings.timeout = Duration.ofSeconds(20);
        settings.cuts = TestingSettings.cuts(true);
        return settings.build();
    }

    @Test
    void barriersAndWatermarksPassBetweenMiniBatchesAfterTheEndOfInput() throws Exception {
        try (TestingParameterService service = TestingParameterService.create("mailbox");
                LocalCluster cluster = new LocalCluster()) {
            service.delayMillis = 1;
            StreamExecutionEnvironment env = cluster.environment(1);
            env.enableCheckpointing(10);
            TrainingModel model = LogisticRegression.builder().build();
            String modelRoot = root.toUri().toString();
            ServiceSpec spec =
                    new ServiceSpec(
                            "m",
                            new ServiceSpec.Servers(modelRoot, 2, List.of()),
                            1,
                            ConsistencySpec.asp(),
                            model.tables(),
                            ServiceSpec.Start.NEW,
                            ServiceSpec.Saving.NONE,
                            null,
                            ServiceSpec.Lifetime.ATTEMPT,
                            Duration.ofSeconds(20));
            DataStream<Void> input2 =
                    env.fromSource(
                                    new ServiceSource(
                                            spec, "run", service.backend(), service.archive()),
                                    WatermarkStrategy.noWatermarks(),
                                    "service",
                                    Types.VOID)
                            .setParallelism(2)
                            .rebalance();
            DataStream<RowBatch> input1 =
                    env.fromSequence(0, 3)
                            .map(number -> TestingRows.batch(number, 16, 50))
                            .returns(RowBatchTypeInfo.INSTANCE);
            TrainingSettings settings = settings();
            List<long[]> seen =
                    LocalCluster.collect(
                            StreamGraphs.twoInputs(
                                            "train",
                                            input1,
                                            input2,
                                            TypeInformation.of(WorkerReport.class),
                                            new TrainingOperator(
                                                    settings, model, service.backend()))
                                    .getSideOutput(TrainingOperator.PROGRESS)
                                    .process(new Watch()));
            assertThat(seen).hasSize(EPOCHS);
            long[] second = seen.get(1);
            long[] last = seen.get(EPOCHS - 1);
            assertThat(last[1]).isGreaterThanOrEqualTo(second[1] + 3);
            assertThat(second[2]).isEqualTo(Watermark.MAX_WATERMARK.getTimestamp());
        }
    }
}
