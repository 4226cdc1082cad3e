package io.github.flinkps.examples;

import io.github.flinkps.examples.Topics.Outcome;
import io.github.flinkps.examples.Topics.Request;
import io.github.flinkps.flink.training.scoring.ScoredRow;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.functions.co.ProcessJoinFunction;
import org.apache.flink.util.Collector;

/** A request, the probability of a click that was predicted for it, and what became of it. */
public record Judged(Request request, double predicted, boolean clicked) {
    /** Puts a scored request and its outcome together. */
    static final class Join
            extends ProcessJoinFunction<Tuple2<Request, ScoredRow>, Outcome, Judged> {
        private static final long serialVersionUID = 1L;

        @Override
        public void processElement(
                Tuple2<Request, ScoredRow> scored,
                Outcome outcome,
                Context context,
                Collector<Judged> out) {
            out.collect(new Judged(scored.f0, scored.f1.score(), outcome.clicked()));
        }
    }
}
