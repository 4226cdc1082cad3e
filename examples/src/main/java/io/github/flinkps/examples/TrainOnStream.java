package io.github.flinkps.examples;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.examples.TrainOnRecords.Impression;
import io.github.flinkps.flink.FlinkPs;
import io.github.flinkps.flink.TrainingJob;
import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.model.ModelManifest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Trains on a stream without an end, one pass over what comes, and saves the model every so often
 * for others to predict with: {@code TrainOnStream MODEL_DIR SECONDS}. Runs until it is cancelled;
 * started again it goes on with the model saved last. In an IDE, or by {@code bin/flink run}.
 */
public final class TrainOnStream {
    private TrainOnStream() {}

    static Impression impression(long id) {
        Topics.Request request = Topics.request(id);
        boolean clicked = Topics.outcome(id).clicked();
        return new Impression(clicked, request.site(), request.ad(), request.price());
    }

    public static void main(String[] args) throws Exception {
        if (args.length != 2) {
            throw new IllegalArgumentException("usage: TrainOnStream MODEL_DIR SECONDS");
        }
        Duration interval = Duration.ofSeconds(Long.parseLong(args[1]));
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        // With flink-connector-kafka: KafkaSource.<Impression>builder().setTopics("impressions")..
        Endless<Impression> source =
                new Endless<>(TrainOnStream::impression, Impression.class, 2_000, Long.MAX_VALUE);
        TrainingJob<Impression> job =
                FlinkPs.train(
                                env.fromSource(source, WatermarkStrategy.noWatermarks(), "clicks"),
                                TrainOnRecords::extract,
                                LogisticRegression.builder().build())
                        // No worker waits for another whose partitions of the topic are quiet.
                        .set(PsOptions.CONSISTENCY, ConsistencySpec.Kind.ASP)
                        .set(PsOptions.MODEL_OUTPUT, args[0])
                        .set(PsOptions.SAVE_INTERVAL, interval);
        if (Files.exists(Path.of(args[0], ModelManifest.FILE))) {
            job.set(PsOptions.INITIAL_MODEL, args[0]);
        }
        job.start().progress().print();
        env.execute("train on a stream");
    }
}
