package io.github.flinkps.examples;

import io.github.flinkps.examples.Topics.Outcome;
import io.github.flinkps.examples.Topics.Request;
import io.github.flinkps.examples.TrainOnRecords.Impression;
import io.github.flinkps.flink.FlinkPs;
import io.github.flinkps.flink.data.RowBatchBuilder;
import java.time.Duration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;

/**
 * Predicts clicks for a stream of requests, joins to each what became of it, and prints for every
 * minute how good the predictions were: {@code JoinPredictions MODEL_DIR}, with the model of {@link
 * TrainOnStream} or {@link TrainOnRecords}. In an IDE, or by {@code bin/flink run}.
 */
public final class JoinPredictions {
    private JoinPredictions() {}

    /** Adds the row of a request, with the features that impressions had in training. */
    static void extract(Request request, RowBatchBuilder out) {
        Impression unseen = new Impression(false, request.site(), request.ad(), request.price());
        TrainOnRecords.extract(unseen, out);
    }

    /**
     * Returns the requests whose outcome comes within a minute; an edge by id brings the two
     * together.
     */
    static DataStream<Judged> join(
            DataStream<Request> requests, DataStream<Outcome> outcomes, String model) {
        return FlinkPs.score(requests, JoinPredictions::extract, model)
                .start()
                .keyBy(scored -> scored.f0.id())
                .intervalJoin(outcomes.keyBy(Outcome::id))
                .between(Duration.ZERO, Duration.ofMinutes(1))
                .process(new Judged.Join());
    }

    public static void main(String[] args) throws Exception {
        if (args.length != 1) {
            throw new IllegalArgumentException("usage: JoinPredictions MODEL_DIR");
        }
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        join(Topics.requests(env, 60_000), Topics.outcomes(env, 60_000), args[0])
                .map(Quality::of)
                .windowAll(TumblingEventTimeWindows.of(Duration.ofMinutes(1)))
                .reduce(Quality::plus)
                .print();
        env.execute("join predictions");
    }
}
