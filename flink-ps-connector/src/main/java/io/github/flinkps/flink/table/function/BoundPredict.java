package io.github.flinkps.flink.table.function;

import io.github.flinkps.flink.serving.ModelPredictor;
import java.util.Arrays;
import org.apache.flink.table.catalog.DataTypeFactory;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.ScalarFunction;
import org.apache.flink.table.types.inference.TypeInference;

/** Predictions of one model, such as those of {@link PsPredict}. */
public abstract class BoundPredict extends ScalarFunction {
    private static final long serialVersionUID = 1L;

    private final PredictInference arguments;
    private final FeatureScorer scorer;
    private transient ModelPredictor predictor;

    BoundPredict(PredictInference arguments, BoundModel bound) {
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

    @Override
    public void open(FunctionContext context) {
        predictor = scorer.predictor();
    }

    static BoundPredict of(PredictInference arguments, BoundModel bound) {
        return bound.scoresPerRow() == 1 ? new One(arguments, bound) : new All(arguments, bound);
    }

    /** The function of a model of one score a row. */
    public static final class One extends BoundPredict {
        private static final long serialVersionUID = 1L;

        One(PredictInference arguments, BoundModel bound) {
            super(arguments, bound);
        }

        /**
         * Scores a row.
         *
         * @param call name of the model and features
         */
        public double eval(Object... call) throws Exception {
            return scores(call)[0];
        }
    }

    /** The function of a model of several scores a row. */
    public static final class All extends BoundPredict {
        private static final long serialVersionUID = 1L;

        All(PredictInference arguments, BoundModel bound) {
            super(arguments, bound);
        }

        /**
         * Scores a row.
         *
         * @param call name of the model and features
         */
        public Double[] eval(Object... call) throws Exception {
            return boxed(scores(call));
        }
    }

    /** The function of a model of labels, which gives one of them. */
    public static final class Label extends BoundPredict {
        private static final long serialVersionUID = 1L;

        private final ModelLabels labels;

        Label(PredictInference arguments, BoundModel bound) {
            super(arguments, bound);
            this.labels = bound.labels();
        }

        /**
         * Predicts the label of a row.
         *
         * @param call name of the model and features
         */
        public Object eval(Object... call) throws Exception {
            return labels.of(scores(call));
        }
    }

    /** Returns the features of a call, as a row. */
    static GenericRowData features(Object[] call) {
        GenericRowData row = new GenericRowData(call.length - 1);
        for (int i = 1; i < call.length; i++) {
            row.setField(i - 1, call[i]);
        }
        return row;
    }

    /** Returns scores as the array that generated code expects. */
    static Double[] boxed(double[] scores) {
        return Arrays.stream(scores).boxed().toArray(Double[]::new);
    }

    final double[] scores(Object[] call) throws Exception {
        return scorer.scores(predictor, features(call));
    }

    @Override
    public void close() {
        if (predictor != null) {
            predictor.close();
        }
    }
}
