package io.github.flinkps.flink.table.function;

import static org.apache.flink.table.api.Expressions.$;
import static org.apache.flink.table.api.Expressions.call;
import static org.apache.flink.table.api.Expressions.lit;

import io.github.flinkps.flink.internal.compat.SqlTypes;
import io.github.flinkps.flink.serving.PredictorSpec;
import io.github.flinkps.flink.table.ModelColumn;
import io.github.flinkps.flink.table.ModelSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.table.api.ApiExpression;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.inference.TypeInference;
import org.apache.flink.table.types.logical.LogicalType;

/** Predictions of the rows of a table by a model that is known in no catalog. */
public final class RunPredict {
    private RunPredict() {}

    /**
     * The scores of a row, as {@link PsPredict} gives them.
     *
     * @param arguments types of the model's name and of the features
     */
    private record Scores(DataType output, List<LogicalType> arguments)
            implements PredictInference {
        private static final long serialVersionUID = 1L;

        @Override
        public TypeInference inference() {
            return TypeInference.newBuilder()
                    .inputTypeStrategy(SqlTypes.internalArguments(arguments))
                    .outputTypeStrategy(call -> Optional.of(output))
                    .build();
        }
    }

    /**
     * Returns a prediction from columns of a table.
     *
     * @param schema of the table, which has every feature of the model
     * @throws ValidationException naming the feature that is not there, or of another type
     */
    public static ApiExpression of(ModelSpec spec, PredictorSpec predictor, ResolvedSchema schema) {
        List<LogicalType> types = new ArrayList<>();
        List<Object> call = new ArrayList<>();
        call.add(lit(predictor.name()));
        for (ModelColumn feature : spec.features()) {
            Column column =
                    schema.getColumn(feature.name())
                            .orElseThrow(() -> missing(feature.name(), schema));
            types.add(column.getDataType().getLogicalType());
            call.add($(feature.name()));
        }
        FeatureScorer scorer = new FeatureScorer(spec.model(), spec.featureRows(types), predictor);
        BoundModel bound = new BoundModel(scorer, types, null);
        List<LogicalType> arguments = new ArrayList<>(types);
        arguments.add(0, DataTypes.STRING().getLogicalType());
        return call(BoundPredict.of(new Scores(bound.output(), arguments), bound), call.toArray());
    }

    private static ValidationException missing(String feature, ResolvedSchema schema) {
        return new ValidationException(
                "the table has no column '"
                        + feature
                        + "', a feature of the model, but "
                        + String.join(", ", schema.getColumnNames()));
    }
}
