package io.github.flinkps.flink2;

import io.github.flinkps.flink.data.RowProblem;
import io.github.flinkps.flink.serving.ModelPredictor;
import io.github.flinkps.flink.serving.ServingException;
import io.github.flinkps.flink.table.function.FeatureScorer;
import java.util.Collection;
import java.util.List;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.PredictFunction;
import org.apache.flink.util.FlinkRuntimeException;

/** Scores rows one by one. Public, as Flink calls it from code that it generates. */
public final class PsPredictFunction extends PredictFunction {
    private static final long serialVersionUID = 1L;

    private final FeatureScorer scorer;
    private transient ModelPredictor predictor;

    PsPredictFunction(FeatureScorer scorer) {
        this.scorer = scorer;
    }

    @Override
    public void open(FunctionContext context) {
        predictor = scorer.predictor();
    }

    /** Returns false: a model that is trained, or retrained, scores otherwise. */
    @Override
    public boolean isDeterministic() {
        return false;
    }

    @Override
    public Collection<RowData> predict(RowData inputRow) {
        try {
            return output(scorer.scores(predictor, inputRow));
        } catch (RowProblem | ServingException e) {
            throw new FlinkRuntimeException(e.getMessage(), e);
        }
    }

    /** Returns the row of a model's scores. */
    static Collection<RowData> output(double[] scores) {
        return List.of(
                GenericRowData.of(scores.length == 1 ? scores[0] : new GenericArrayData(scores)));
    }

    @Override
    public void close() {
        if (predictor != null) {
            predictor.close();
        }
    }
}
