package io.github.flinkps.examples;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.FlinkPs;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.options.PsOptions;
import java.util.List;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Trains a model of one's own, {@link QuantileRegression}, by an optimizer of one's own on the
 * servers, {@link SignSgd}: the minutes that a tenth of the trips of each day of the week do not
 * exceed. {@code TrainOwnModel MODEL_DIR}, in an IDE, or by {@code bin/flink run}; servers of their
 * own need this jar on their class path, too ({@code FLINK_PS_CLASSPATH}).
 */
public final class TrainOwnModel {
    static final int TRIPS = 14_000;

    private TrainOwnModel() {}

    /** Adds a trip, which takes {@code 10 d + 1} to {@code 10 d + 10} minutes on day {@code d}. */
    static void extract(Long i, RowBatchBuilder out) {
        long day = i % 7;
        out.add(day);
        out.endRow((float) (10 * day + 1 + i / 7 % 10));
    }

    public static void main(String[] args) throws Exception {
        if (args.length != 1) {
            throw new IllegalArgumentException("usage: TrainOwnModel MODEL_DIR");
        }
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(1);
        DataStream<Long> trips = env.fromSequence(0, TRIPS - 1);
        UpdateSpec steps = UpdateSpec.of("sign-sgd").with("learning-rate", 0.5);
        List<TableSpec> tables = List.of(TableSpec.sparse("weights", 1, steps));
        FlinkPs.train(trips, TrainOwnModel::extract, new QuantileRegression(0.1, tables))
                .set(PsOptions.BATCH_SIZE, 70)
                .set(PsOptions.EPOCHS, 2)
                .set(PsOptions.MODEL_OUTPUT, args[0])
                .start()
                .reports()
                .print();
        env.execute("train a model of one's own");
    }
}
