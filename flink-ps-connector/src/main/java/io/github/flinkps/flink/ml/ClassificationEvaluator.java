package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.metrics.Confusion;
import io.github.flinkps.flink.ml.param.HasLabelValues;
import io.github.flinkps.flink.ml.param.HasPredictionCol;
import io.github.flinkps.flink.ml.param.HasRawPredictionCol;
import io.github.flinkps.flink.ml.param.HasWeightCol;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.types.logical.LogicalTypeFamily;

/**
 * Measures predictions of two or several classes, in the labels that rows have:
 *
 * <ul>
 *   <li>{@code accuracy}: the share of rows whose prediction is their label
 *   <li>{@code logloss}: the mean of {@code -ln p(label)}, of models with probabilities
 *   <li>{@code auc}: the exact area under the ROC curve, of two classes
 *   <li>{@code confusion}: an array for each label, of the weights of its rows by their prediction
 * </ul>
 */
public final class ClassificationEvaluator extends Evaluator<ClassificationEvaluator>
        implements HasLabelValues<ClassificationEvaluator>,
                HasPredictionCol<ClassificationEvaluator>,
                HasRawPredictionCol<ClassificationEvaluator>,
                HasWeightCol<ClassificationEvaluator> {
    static final String ACCURACY = "accuracy";
    static final String LOGLOSS = "logloss";
    static final String AUC = "auc";
    static final String CONFUSION = "confusion";

    private static final long serialVersionUID = 1L;

    @Override
    Map<String, TypeInformation<?>> metrics() {
        Map<String, TypeInformation<?>> metrics = new LinkedHashMap<>();
        metrics.put(ACCURACY, Types.DOUBLE);
        metrics.put(LOGLOSS, Types.DOUBLE);
        metrics.put(AUC, Types.DOUBLE);
        metrics.put(CONFUSION, Types.OBJECT_ARRAY(Types.OBJECT_ARRAY(Types.DOUBLE)));
        return metrics;
    }

    @Override
    List<String> usual() {
        return List.of(ACCURACY, LOGLOSS);
    }

    @Override
    Measure measure(ResolvedSchema schema, List<String> metrics) {
        String[] values = getLabelValues();
        checkValues(values, metrics);
        return new ClassMeasure(
                label(schema, "labelCol", getLabelCol()),
                label(schema, "predictionCol", getPredictionCol()),
                raw(schema),
                Stages.weight(this, schema),
                values == null ? null : List.of(values),
                metrics);
    }

    private static void checkValues(String[] values, List<String> metrics) {
        if (values == null) {
            return;
        }
        if (values.length < 2) {
            throw new ValidationException("labelValues must name at least 2 labels");
        }
        if (values.length > Confusion.MOST_LABELS && metrics.contains(CONFUSION)) {
            throw new ValidationException(
                    "metricsNames: confusion is told of at most "
                            + Confusion.MOST_LABELS
                            + " labels, not "
                            + values.length);
        }
    }

    private ColumnReader label(ResolvedSchema schema, String param, String column) {
        ColumnReader reader = ColumnReader.of(schema, param, column);
        boolean text = !reader.vector() && reader.type().is(LogicalTypeFamily.CHARACTER_STRING);
        if (text && getLabelValues() == null) {
            throw new ValidationException(
                    param + ": column '" + column + "' is text: labelValues must name the labels");
        }
        if (!text && !reader.isNumber() && !reader.isTruth()) {
            throw new ValidationException(
                    param + ": column '" + column + "' must be a label, not " + reader.shown());
        }
        return reader;
    }

    private ColumnReader raw(ResolvedSchema schema) {
        ColumnReader reader = ColumnReader.of(schema, "rawPredictionCol", getRawPredictionCol());
        if (!reader.vector() && !reader.isArrayOfNumbers()) {
            throw new ValidationException(
                    "rawPredictionCol: column '"
                            + reader.name()
                            + "' must be a Vector or an ARRAY of numbers, not "
                            + reader.shown());
        }
        return reader;
    }

    /** Loads what was saved. */
    public static ClassificationEvaluator load(StreamTableEnvironment environment, String path)
            throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }
}
