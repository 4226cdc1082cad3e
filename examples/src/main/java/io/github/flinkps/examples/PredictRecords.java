package io.github.flinkps.examples;

import io.github.flinkps.examples.TrainOnRecords.Impression;
import io.github.flinkps.flink.FlinkPs;
import java.util.List;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Scores records with the model that {@link TrainOnRecords} has saved, and prints for each the
 * probability of a click: {@code PredictRecords MODEL_DIR}. In an IDE, or by {@code bin/flink run}.
 */
public final class PredictRecords {
    private PredictRecords() {}

    public static void main(String[] args) throws Exception {
        if (args.length != 1) {
            throw new IllegalArgumentException("usage: PredictRecords MODEL_DIR");
        }
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(1);
        DataStream<Impression> impressions =
                env.fromData(
                        List.of(
                                new Impression(true, "news", "shoes", 2.0),
                                new Impression(false, "news", "bank", 2.0)));
        FlinkPs.score(impressions, TrainOnRecords::extract, args[0])
                .start()
                .map(scored -> scored.f0 + ": p = " + scored.f1.score())
                .print();
        env.execute("predict records");
    }
}
