package io.github.flinkps.flink.table;

import io.github.flinkps.flink.PsOptions;
import io.github.flinkps.flink.service.ServiceRegistry;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.factories.DynamicTableSinkFactory;
import org.apache.flink.table.factories.FactoryUtil;

/**
 * Models as tables: of a catalog, which knows where its models lie, or of a {@code CREATE TABLE}
 * with the connector {@code flink-ps}, whose options {@code model-root} and {@code model} say it.
 */
public final class ModelTableFactory implements DynamicTableSinkFactory {
    /** The name of the connector. */
    public static final String IDENTIFIER = "flink-ps";

    /** Which model a table is that is of no catalog of models. */
    public static final ConfigOption<String> MODEL =
            ConfigOptions.key("model")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "The model, as DATABASE.MODEL, or as MODEL in the default database.");

    private final ModelRoot root;
    private final List<String> remote;

    /** For tables that are of no catalog of models; found by the name of the connector. */
    public ModelTableFactory() {
        this(null, List.of());
    }

    /**
     * For the tables of a catalog: their database and name are those of the model.
     *
     * @param remote addresses of servers that jobs use unless a table says otherwise; empty: none
     */
    public ModelTableFactory(ModelRoot root, List<String> remote) {
        this.root = root;
        this.remote = List.copyOf(remote);
    }

    @Override
    public String factoryIdentifier() {
        return IDENTIFIER;
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of(PsOptions.MODEL_ROOT, MODEL);
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return Set.of();
    }

    @Override
    public DynamicTableSink createDynamicTableSink(Context context) {
        return new ModelTableSink(table(context));
    }

    private ModelTable table(Context context) {
        ResolvedCatalogTable declared = context.getCatalogTable();
        ObjectIdentifier identifier = context.getObjectIdentifier();
        Map<String, String> options = new TreeMap<>(declared.getOptions());
        options.remove(FactoryUtil.CONNECTOR.key());
        String folder = root == null ? take(identifier, options, PsOptions.MODEL_ROOT) : null;
        ModelRoot models = root == null ? new ModelRoot(folder) : root;
        String database = identifier.getDatabaseName();
        String model = identifier.getObjectName();
        if (root == null) {
            String named = take(identifier, options, MODEL);
            int dot = named.indexOf('.');
            database = dot < 0 ? ServiceRegistry.DEFAULT_DATABASE : named.substring(0, dot);
            model = named.substring(dot + 1);
        }
        String name = identifier.asSummaryString();
        try {
            ModelRoot.checkNames(database, model);
        } catch (IllegalArgumentException e) {
            throw new ValidationException("table " + name + ": " + e.getMessage(), e);
        }
        ModelSpec spec = ModelSpec.of(name, TableDefinitions.definition(name, declared, options));
        return new ModelTable(name, models.location(), database, model, spec, remote);
    }

    private static String take(
            ObjectIdentifier table, Map<String, String> options, ConfigOption<String> option) {
        String value = options.remove(option.key());
        if (value == null) {
            throw new ValidationException(
                    "table "
                            + table.asSummaryString()
                            + " needs the option '"
                            + option.key()
                            + "'");
        }
        return value;
    }
}
