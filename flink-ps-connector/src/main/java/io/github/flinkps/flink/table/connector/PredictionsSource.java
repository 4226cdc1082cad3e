package io.github.flinkps.flink.table.connector;

import io.github.flinkps.flink.serving.PredictorSpec;
import io.github.flinkps.flink.table.ModelColumn;
import io.github.flinkps.flink.table.ModelSpec;
import io.github.flinkps.flink.table.RowEncoder;
import java.util.List;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.LookupTableSource;
import org.apache.flink.table.data.RowData;

/** The table of a model's predictions, looked up by its features. */
final class PredictionsSource implements LookupTableSource {
    private final String name;
    private final LookupSettings settings;
    private final ModelSpec model;
    private final PredictorSpec predictor;

    /**
     * @param name of the table, for people
     */
    PredictionsSource(
            String name, LookupSettings settings, ModelSpec model, PredictorSpec predictor) {
        this.name = name;
        this.settings = settings;
        this.model = model;
        this.predictor = predictor;
    }

    @Override
    public LookupRuntimeProvider getLookupRuntimeProvider(LookupContext context) {
        List<ModelColumn> features = model.features();
        int[] keys =
                LookupSettings.places(
                        name, context, TableDefinitions.predictions(model), features.size());
        RowData.FieldGetter[] getters = new RowData.FieldGetter[keys.length];
        for (int i = 0; i < keys.length; i++) {
            getters[i] = RowEncoder.getter(model.type(features.get(i)), keys[i]);
        }
        return settings.provider(new ModelLookup.Predictions(model, predictor, getters));
    }

    @Override
    public DynamicTableSource copy() {
        return new PredictionsSource(name, settings, model, predictor);
    }

    @Override
    public String asSummaryString() {
        return name;
    }
}
