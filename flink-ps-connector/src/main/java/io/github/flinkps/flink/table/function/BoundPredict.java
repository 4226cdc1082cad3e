package io.github.flinkps.flink.table.function;

import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.serving.ModelPredictor;
import io.github.flinkps.flink.serving.PredictorSpec;
import io.github.flinkps.flink.table.RowEncoder;
import org.apache.flink.table.catalog.DataTypeFactory;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.ScalarFunction;
import org.apache.flink.table.types.inference.TypeInference;

/** {@link PsPredict} of one model. */
public abstract class BoundPredict extends ScalarFunction {
    private static final long serialVersionUID = 1L;

    private final PredictArguments arguments;
    private final TrainingModel model;
    private final RowEncoder encoder;
    private final PredictorSpec spec;
    private transient RowBatchBuilder rows;
    private transient ModelPredictor predictor;

    BoundPredict(PredictArguments arguments, BoundModel bound) {
        this.arguments = arguments;
        this.model = bound.spec().model();
        this.encoder = bound.encoder();
        this.spec = bound.predictor();
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
        rows = new RowBatchBuilder();
        predictor = new ModelPredictor(model, spec, System::nanoTime);
    }

    static BoundPredict of(PredictArguments arguments, BoundModel bound) {
        return bound.scoresPerRow() == 1 ? new One(arguments, bound) : new All(arguments, bound);
    }

    /** Of a model of one score a row. */
    public static final class One extends BoundPredict {
        private static final long serialVersionUID = 1L;

        One(PredictArguments arguments, BoundModel bound) {
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

    /** Of a model of several scores a row. */
    public static final class All extends BoundPredict {
        private static final long serialVersionUID = 1L;

        All(PredictArguments arguments, BoundModel bound) {
            super(arguments, bound);
        }

        /**
         * Scores a row.
         *
         * @param call name of the model and features
         */
        public Double[] eval(Object... call) throws Exception {
            float[] scores = scores(call);
            Double[] all = new Double[scores.length];
            for (int i = 0; i < all.length; i++) {
                all[i] = (double) scores[i];
            }
            return all;
        }
    }

    /** The features of a call, as a row. */
    static GenericRowData features(Object[] call) {
        GenericRowData row = new GenericRowData(call.length - 1);
        for (int i = 1; i < call.length; i++) {
            row.setField(i - 1, call[i]);
        }
        return row;
    }

    final float[] scores(Object[] call) throws Exception {
        encoder.extract(features(call), rows);
        return predictor.score(rows.build());
    }

    @Override
    public void close() {
        if (predictor != null) {
            predictor.close();
        }
    }
}
