package io.github.flinkps.flink.table.connector;

import io.github.flinkps.flink.serving.PredictorSpec;
import io.github.flinkps.flink.table.ModelSpec;
import java.util.List;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.LookupTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.types.DataType;

/**
 * The parameters of a model: a version when scanned, what they are now when looked up by table and
 * key.
 */
final class ParametersSource implements ScanTableSource, LookupTableSource {
    private final SystemTableSource version;
    private final LookupSettings settings;
    private final ModelSpec model;
    private final PredictorSpec predictor;

    ParametersSource(
            SystemTableSource version,
            LookupSettings settings,
            ModelSpec model,
            PredictorSpec predictor) {
        this.version = version;
        this.settings = settings;
        this.model = model;
        this.predictor = predictor;
    }

    @Override
    public ChangelogMode getChangelogMode() {
        return version.getChangelogMode();
    }

    @Override
    public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
        return version.getScanRuntimeProvider(context);
    }

    @Override
    public LookupRuntimeProvider getLookupRuntimeProvider(LookupContext context) {
        List<String> columns = DataType.getFieldNames(version.rows());
        int[] keys = LookupSettings.places(version.asSummaryString(), context, columns, 2);
        return settings.provider(new ModelLookup.Parameters(model, predictor, keys[0], keys[1]));
    }

    @Override
    public DynamicTableSource copy() {
        return new ParametersSource(version, settings, model, predictor);
    }

    @Override
    public String asSummaryString() {
        return version.asSummaryString();
    }
}
