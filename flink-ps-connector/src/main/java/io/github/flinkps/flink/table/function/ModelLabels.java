package io.github.flinkps.flink.table.function;

import io.github.flinkps.flink.table.ModelSpec;
import io.github.flinkps.flink.table.PredictedLabel;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeFamily;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

/** The labels that a model tells apart, as values of its column of labels. Immutable. */
final class ModelLabels implements Serializable {
    private static final long serialVersionUID = 1L;

    private final LogicalType type;
    private final List<String> names;
    private final PredictedLabel decision;

    /**
     * @throws ValidationException if the model learns numbers
     */
    ModelLabels(ModelSpec spec) {
        names = PredictedLabel.names(spec);
        if (spec.label() == null || names.isEmpty()) {
            throw new ValidationException(
                    "algorithm "
                            + spec.model().name()
                            + " tells no labels apart: "
                            + PsPredict.NAME
                            + " says what it predicts");
        }
        LogicalType declared = spec.type(spec.label());
        boolean text = declared.is(LogicalTypeFamily.CHARACTER_STRING);
        type = text ? DataTypes.STRING().getLogicalType() : declared.copy(true);
        decision = new PredictedLabel(spec.model());
    }

    /** Returns the type of a label. */
    DataType output() {
        return DataTypes.of(type).notNull();
    }

    /** Returns the label that the scores of a row speak for. */
    Object of(double[] scores) {
        int label = decision.of(scores);
        LogicalTypeRoot root = type.getTypeRoot();
        if (root == LogicalTypeRoot.VARCHAR) {
            return names.get(label);
        }
        return root == LogicalTypeRoot.BOOLEAN
                ? (Object) (label == 1)
                : number(root, new BigDecimal(names.get(label)));
    }

    private Object number(LogicalTypeRoot root, BigDecimal number) {
        return switch (root) {
            case TINYINT -> number.byteValue();
            case SMALLINT -> number.shortValue();
            case INTEGER -> number.intValue();
            case BIGINT -> number.longValue();
            case FLOAT -> number.floatValue();
            case DOUBLE -> number.doubleValue();
            default -> number.setScale(((DecimalType) type).getScale(), RoundingMode.HALF_UP);
        };
    }
}
