package io.github.flinkps.flink.table.function;

import io.github.flinkps.flink.serving.PredictionQueue;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.table.catalog.DataTypeFactory;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.AsyncScalarFunction;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.types.inference.TypeInference;

/** {@link PsPredictAsync} of one model. */
public abstract class BoundPredictAsync extends AsyncScalarFunction {
    private static final long serialVersionUID = 1L;

    private final PredictArguments arguments;
    private final FeatureScorer scorer;
    private transient PredictionQueue<RowData, double[]> queue;

    BoundPredictAsync(PredictArguments arguments, BoundModel bound) {
        this.arguments = arguments;
        this.scorer = bound.scorer();
    }

    @Override
    public TypeInference getTypeInference(DataTypeFactory types) {
        return arguments.inference();
    }

    @Override
    public boolean isDeterministic() {
        return false;
    }

    static BoundPredictAsync of(PredictArguments arguments, BoundModel bound) {
        return bound.scoresPerRow() == 1 ? new One(arguments, bound) : new All(arguments, bound);
    }

    @Override
    public void open(FunctionContext context) {
        queue = scorer.queue();
    }

    /** Asks for the scores of a row, which come on another thread. */
    final CompletableFuture<double[]> ask(Object[] call) {
        return queue.ask(BoundPredict.features(call));
    }

    @Override
    public void close() {
        if (queue != null) {
            queue.close();
        }
    }

    /** The function of a model of one score a row. */
    public static final class One extends BoundPredictAsync {
        private static final long serialVersionUID = 1L;

        One(PredictArguments arguments, BoundModel bound) {
            super(arguments, bound);
        }

        /**
         * Scores a row.
         *
         * @param score completed on another thread
         * @param call name of the model and features
         */
        public void eval(CompletableFuture<Double> score, Object... call) {
            forward(ask(call).thenApply(scores -> scores[0]), score);
        }
    }

    /** The function of a model of several scores a row. */
    public static final class All extends BoundPredictAsync {
        private static final long serialVersionUID = 1L;

        All(PredictArguments arguments, BoundModel bound) {
            super(arguments, bound);
        }

        /**
         * Scores a row.
         *
         * @param scores completed on another thread
         * @param call name of the model and features
         */
        public void eval(CompletableFuture<Double[]> scores, Object... call) {
            forward(ask(call).thenApply(BoundPredict::boxed), scores);
        }
    }

    private static <T> void forward(CompletableFuture<T> from, CompletableFuture<T> to) {
        from.whenComplete(
                (value, problem) -> {
                    if (problem == null) {
                        to.complete(value);
                    } else {
                        to.completeExceptionally(problem);
                    }
                });
    }
}
