package io.github.flinkps.flink2;

import io.github.flinkps.flink.serving.PredictionQueue;
import io.github.flinkps.flink.table.function.FeatureScorer;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.AsyncPredictFunction;
import org.apache.flink.table.functions.FunctionContext;

/** Scores rows that wait together. Public, as Flink calls it from code that it generates. */
public final class PsAsyncPredictFunction extends AsyncPredictFunction {
    private static final long serialVersionUID = 1L;

    private final FeatureScorer scorer;
    private transient PredictionQueue<RowData, double[]> queue;

    PsAsyncPredictFunction(FeatureScorer scorer) {
        this.scorer = scorer;
    }

    @Override
    public void open(FunctionContext context) {
        queue = scorer.queue();
    }

    /** Returns false: a model that is trained, or retrained, scores otherwise. */
    @Override
    public boolean isDeterministic() {
        return false;
    }

    @Override
    public CompletableFuture<Collection<RowData>> asyncPredict(RowData inputRow) {
        return queue.ask(inputRow).thenApply(PsPredictFunction::output);
    }

    @Override
    public void close() {
        if (queue != null) {
            queue.close();
        }
    }
}
