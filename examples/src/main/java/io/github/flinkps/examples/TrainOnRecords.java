package io.github.flinkps.examples;

import io.github.flinkps.flink.FlinkPs;
import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.options.PsOptions;
import java.util.List;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Trains logistic regression on a bounded stream of one's own records, in several passes: {@code
 * TrainOnRecords MODEL_DIR}. The servers run inside the job's TaskManagers. In an IDE, or by {@code
 * bin/flink run}.
 */
public final class TrainOnRecords {
    /** An impression of an advertisement: what a pipeline would deliver. */
    public record Impression(boolean clicked, String site, String ad, double price) {}

    private TrainOnRecords() {}

    /** Adds the row of a record: two hashed categories, a number, and the label. */
    static void extract(Impression impression, RowBatchBuilder out) {
        out.add(key("site", impression.site()));
        out.add(key("ad", impression.ad()));
        out.add(key("price", ""), (float) Math.log1p(impression.price()));
        out.endRow(impression.clicked() ? 1 : 0);
    }

    static long key(String column, String value) {
        return Integer.toUnsignedLong((column + '\0' + value).hashCode());
    }

    public static void main(String[] args) throws Exception {
        if (args.length != 1) {
            throw new IllegalArgumentException("usage: TrainOnRecords MODEL_DIR");
        }
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(1);
        DataStream<Impression> impressions =
                env.fromData(
                        List.of(
                                new Impression(true, "news", "shoes", 1.5),
                                new Impression(false, "news", "bank", 2.0),
                                new Impression(true, "sports", "shoes", 1.0),
                                new Impression(false, "sports", "bank", 3.5)));
        FlinkPs.train(impressions, TrainOnRecords::extract, LogisticRegression.builder().build())
                .set(PsOptions.EPOCHS, 20)
                .set(PsOptions.MODEL_OUTPUT, args[0])
                .start()
                .reports()
                .print();
        env.execute("train on records");
    }
}
