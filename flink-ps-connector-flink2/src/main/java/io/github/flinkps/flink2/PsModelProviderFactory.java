package io.github.flinkps.flink2;

import io.github.flinkps.flink.table.function.FeatureScorer;
import java.util.List;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedCatalogModel;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.factories.ModelProviderFactory;
import org.apache.flink.table.ml.ModelProvider;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

/**
 * The provider of {@code CREATE MODEL m INPUT (..) OUTPUT (..) WITH ('provider' = 'flink-ps',
 * 'model' = 'DATABASE.MODEL', ..)}, for {@code ML_PREDICT}. Columns of the input are the model's
 * features by name, in any order; the output has one column, DOUBLE, or ARRAY&lt;DOUBLE&gt; for a
 * model of several scores. All is checked when a statement that uses the model is validated.
 */
public final class PsModelProviderFactory implements ModelProviderFactory {
    /** The model behind it, below {@code model-root}. */
    static final ConfigOption<String> MODEL =
            ConfigOptions.key("model")
                    .stringType()
                    .noDefaultValue()
                    .withDescription("DATABASE.MODEL below model-root, or MODEL of 'default'.");

    @Override
    public String factoryIdentifier() {
        return "flink-ps";
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of(MODEL);
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return FeatureScorer.OPTIONS;
    }

    @Override
    public ModelProvider createModelProvider(Context context) {
        FactoryUtil.ModelProviderFactoryHelper helper =
                FactoryUtil.createModelProviderFactoryHelper(this, context);
        helper.validate();
        ResolvedCatalogModel model = context.getCatalogModel();
        List<Column> input = model.getResolvedInputSchema().getColumns();
        FeatureScorer scorer =
                FeatureScorer.of(
                        FeatureScorer.options(model.getOptions(), context.getConfiguration()),
                        helper.getOptions().get(MODEL),
                        input.stream().map(Column::getName).toList(),
                        types(input));
        checkOutput(
                helper.getOptions().get(MODEL),
                types(model.getResolvedOutputSchema().getColumns()),
                scorer.scoresPerRow());
        return new PsModelProvider(scorer);
    }

    private static List<LogicalType> types(List<Column> columns) {
        return columns.stream().map(column -> column.getDataType().getLogicalType()).toList();
    }

    private static void checkOutput(String model, List<LogicalType> output, int scores) {
        boolean one = scores == 1;
        boolean fits =
                output.size() == 1
                        && (one ? isDouble(output.get(0)) : isArrayOfDouble(output.get(0)));
        if (!fits) {
            throw new ValidationException(
                    "model "
                            + model
                            + ": OUTPUT must be one column of type "
                            + (one ? "DOUBLE" : "ARRAY<DOUBLE>, " + scores + " scores")
                            + ", not "
                            + output.stream().map(LogicalType::asSummaryString).toList());
        }
    }

    private static boolean isDouble(LogicalType type) {
        return type.is(LogicalTypeRoot.DOUBLE);
    }

    private static boolean isArrayOfDouble(LogicalType type) {
        return type instanceof ArrayType array && isDouble(array.getElementType());
    }
}
