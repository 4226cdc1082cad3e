package io.github.flinkps.flink2;

import io.github.flinkps.flink.table.function.FeatureScorer;
import org.apache.flink.table.functions.AsyncPredictFunction;
import org.apache.flink.table.functions.PredictFunction;
import org.apache.flink.table.ml.AsyncPredictRuntimeProvider;
import org.apache.flink.table.ml.PredictRuntimeProvider;

/** Both ways of {@code ML_PREDICT}. Immutable. */
final class PsModelProvider implements PredictRuntimeProvider, AsyncPredictRuntimeProvider {
    private final FeatureScorer scorer;

    PsModelProvider(FeatureScorer scorer) {
        this.scorer = scorer;
    }

    @Override
    public PredictFunction createPredictFunction(Context context) {
        return new PsPredictFunction(scorer);
    }

    @Override
    public AsyncPredictFunction createAsyncPredictFunction(Context context) {
        return new PsAsyncPredictFunction(scorer);
    }

    @Override
    public PsModelProvider copy() {
        return this;
    }
}
