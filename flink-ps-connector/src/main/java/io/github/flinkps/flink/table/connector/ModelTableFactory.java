package io.github.flinkps.flink.table.connector;

import io.github.flinkps.common.PsException;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.options.RemoteServers;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.flink.serving.PredictorSpec;
import io.github.flinkps.flink.table.ModelOptions;
import io.github.flinkps.flink.table.ModelPath;
import io.github.flinkps.flink.table.ModelRoot;
import io.github.flinkps.flink.table.ModelSpec;
import io.github.flinkps.flink.table.ModelVersion;
import io.github.flinkps.flink.table.RootLocator;
import io.github.flinkps.flink.table.TrainingTable;
import io.github.flinkps.model.ModelManifest;
import java.io.UncheckedIOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.factories.DynamicTableSinkFactory;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.types.DataType;

/**
 * Models as tables: of a catalog, which knows where its models lie, or of a {@code CREATE TABLE}
 * with the connector {@code flink-ps}, whose options {@code model-root} and {@code model} say it.
 */
public final class ModelTableFactory implements DynamicTableSinkFactory, DynamicTableSourceFactory {
    /** The name of the connector. */
    public static final String IDENTIFIER = "flink-ps";

    /** The model of a table that is in no catalog of models. */
    public static final ConfigOption<String> MODEL =
            ConfigOptions.key("model")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "The model, as DATABASE.MODEL, or as MODEL in the default database.");

    /** The version of a model whose parameters are read. */
    public static final ConfigOption<String> VERSION =
            ConfigOptions.key("version")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "Id of the version that is read, as MODEL$versions shows it; the newest"
                                    + " unless given.");

    private final ModelRoot root;
    private final RemoteServers remote;

    /**
     * Makes the factory of tables that are in no catalog of models; found by the name of the
     * connector.
     */
    public ModelTableFactory() {
        this(null, RemoteServers.NONE);
    }

    /**
     * Makes the factory of the tables of a catalog: their database and name are those of the model.
     *
     * @param remote servers that jobs use unless a table says otherwise
     */
    public ModelTableFactory(ModelRoot root, RemoteServers remote) {
        this.root = root;
        this.remote = remote;
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
        Set<ConfigOption<?>> all = new LinkedHashSet<>(ModelOptions.ofTables());
        all.addAll(ModelIdentifier.ofServers());
        return all;
    }

    @Override
    public DynamicTableSink createDynamicTableSink(Context context) {
        if (system(context.getObjectIdentifier()).isPresent()) {
            throw new ValidationException(
                    "table "
                            + context.getObjectIdentifier().asSummaryString()
                            + " only shows what there is: rows are inserted into the model itself");
        }
        return new ModelTableSink(table(context));
    }

    @Override
    public DynamicTableSource createDynamicTableSource(Context context) {
        ObjectIdentifier identifier = context.getObjectIdentifier();
        String name = identifier.asSummaryString();
        Optional<SystemTable.Of> system = system(identifier);
        if (system.isEmpty()) {
            throw new ValidationException(
                    "table "
                            + name
                            + " is a model, into which rows are inserted to train it; there is"
                            + " nothing to select: PS_PREDICT predicts, and in a catalog of models"
                            + " the tables "
                            + SystemTable.marks()
                            + " behind its name show what there is of it");
        }
        try {
            return source(context, name, system.get());
        } catch (IllegalArgumentException | PsException e) {
            throw ModelSpec.refused("table " + name + ": " + e.getMessage(), e);
        }
    }

    private Optional<SystemTable.Of> system(ObjectIdentifier table) {
        return root == null ? Optional.empty() : SystemTable.parse(table.getObjectName());
    }

    private DynamicTableSource source(Context context, String name, SystemTable.Of system) {
        String database = context.getObjectIdentifier().getDatabaseName();
        String model = system.model();
        ModelPath path = new ModelPath(root.location(), database, model);
        ResolvedCatalogTable declared = context.getCatalogTable();
        DataType rows = declared.getResolvedSchema().toPhysicalRowDataType();
        SystemPart part =
                switch (system.table()) {
                    case VERSIONS -> SystemParts.versions(path);
                    case METRICS -> SystemParts.metrics(path);
                    case SERVERS -> SystemParts.servers(new RootLocator(path, null));
                    case PARAMS, PREDICTIONS -> null;
                };
        if (part != null) {
            if (!declared.getOptions().isEmpty()) {
                throw new ValidationException("table " + name + " has no options");
            }
            return new SystemTableSource(name, rows, List.of(part));
        }
        LookupSettings settings = new LookupSettings(name, declared.getOptions());
        Optional<ModelVersion> version =
                settings.version() == null
                        ? root.newest(database, model)
                        : Optional.of(root.version(database, model, settings.version()));
        ModelSpec spec = ModelSpec.of(model, root.definition(database, model).orElseThrow());
        PredictorSpec predictor = settings.predictor(path, remote);
        Optional<ModelManifest> manifest =
                version.map(read -> read.manifest(predictor.name(), settings.version() != null));
        if (system.table() == SystemTable.PREDICTIONS) {
            if (!predictor.hasModel()) {
                throw new ValidationException(predictor.noModel());
            }
            version.ifPresent(read -> read.check(predictor.name(), spec, manifest.orElseThrow()));
            return new PredictionsSource(name, settings, spec, predictor);
        }
        List<SystemPart> parts =
                version.map(read -> SystemParts.parameters(read, manifest.orElseThrow(), spec))
                        .orElse(List.of());
        return new ParametersSource(
                new SystemTableSource(name, rows, parts), settings, spec, predictor);
    }

    private TrainingTable table(Context context) {
        ObjectIdentifier identifier = context.getObjectIdentifier();
        String name = identifier.asSummaryString();
        Map<String, String> options = new TreeMap<>(context.getCatalogTable().getOptions());
        ModelIdentifier place;
        if (root == null) {
            place = place(identifier, options);
        } else {
            place =
                    new ModelIdentifier(
                            new ModelPath(
                                    root.location(),
                                    identifier.getDatabaseName(),
                                    identifier.getObjectName()),
                            remote);
            options = place.hidden(name, options);
        }
        try {
            ModelRoot.checkNames(place.path().database(), place.path().model());
        } catch (IllegalArgumentException e) {
            throw ModelSpec.refused("table " + name + ": " + e.getMessage(), e);
        }
        ModelSpec spec =
                ModelSpec.of(
                        name,
                        TableDefinitions.definition(name, context.getCatalogTable(), options));
        return new TrainingTable(name, place.path(), spec, place.remote());
    }

    /** Takes the place of a model out of the options of a table that is of no catalog of models. */
    private static ModelIdentifier place(ObjectIdentifier table, Map<String, String> options) {
        options.remove(FactoryUtil.CONNECTOR.key());
        String folder = take(table, options, PsOptions.MODEL_ROOT);
        String named = take(table, options, MODEL);
        int dot = named.indexOf('.');
        RemoteServers servers;
        try {
            servers = ModelIdentifier.takeServers(options);
        } catch (IllegalArgumentException e) {
            throw ModelSpec.refused("table " + table.asSummaryString() + ": " + e.getMessage(), e);
        }
        return new ModelIdentifier(
                new ModelPath(
                        rootOf(table.asSummaryString(), folder).location(),
                        dot < 0 ? ServiceRegistry.DEFAULT_DATABASE : named.substring(0, dot),
                        named.substring(dot + 1)),
                servers);
    }

    private static ModelRoot rootOf(String table, String folder) {
        try {
            PsOptions.check(PsOptions.MODEL_ROOT, folder);
        } catch (IllegalArgumentException | UncheckedIOException e) {
            throw ModelSpec.refused("table " + table + ": " + e.getMessage(), e);
        }
        return new ModelRoot(folder);
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
