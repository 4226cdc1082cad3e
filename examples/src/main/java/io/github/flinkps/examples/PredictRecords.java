package io.github.flinkps.examples;

import io.github.flinkps.flink.FlinkPs;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.data.RowBatchTypeInfo;
import java.util.List;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Scores records with the model that {@link TrainOnRecords} has saved: {@code PredictRecords
 * MODEL_DIR}. Prints the probability of a click for each.
 */
public final class PredictRecords {
    private PredictRecords() {}

    static RowBatch row(TrainOnRecords.Impression impression) {
        RowBatchBuilder row = new RowBatchBuilder();
        TrainOnRecords.extract(impression, row);
        return row.build();
    }

    public static void main(String[] args) throws Exception {
        if (args.length != 1) {
            throw new IllegalArgumentException("usage: PredictRecords MODEL_DIR");
        }
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(1);
        DataStream<RowBatch> rows =
                env.fromData(
                                List.of(
                                        new TrainOnRecords.Impression(true, "news", "shoes", 2.0),
                                        new TrainOnRecords.Impression(false, "news", "bank", 2.0)))
                        .map(PredictRecords::row)
                        .returns(RowBatchTypeInfo.INSTANCE);
        FlinkPs.score(rows, args[0])
                .start()
                .map(scored -> "clicked " + scored.label() + ": p = " + scored.score())
                .print();
        env.execute("predict records");
    }
}
