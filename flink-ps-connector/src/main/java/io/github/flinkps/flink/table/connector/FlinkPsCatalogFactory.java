package io.github.flinkps.flink.table.connector;

import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.options.RemoteSecurity;
import io.github.flinkps.flink.options.RemoteServers;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.flink.table.ModelSpec;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.catalog.Catalog;
import org.apache.flink.table.factories.CatalogFactory;
import org.apache.flink.table.factories.FactoryUtil;

/** {@code CREATE CATALOG .. WITH ('type' = 'flink-ps', ..)}. */
public final class FlinkPsCatalogFactory implements CatalogFactory {
    /** The value of {@code type}. */
    public static final String IDENTIFIER = "flink-ps";

    /** The folder of models, which has no default here. */
    public static final ConfigOption<String> MODEL_ROOT =
            ConfigOptions.key(PsOptions.MODEL_ROOT.key())
                    .stringType()
                    .noDefaultValue()
                    .withDescription(PsOptions.MODEL_ROOT.description());

    public static final ConfigOption<String> DEFAULT_DATABASE =
            ConfigOptions.key("default-database")
                    .stringType()
                    .defaultValue(ServiceRegistry.DEFAULT_DATABASE)
                    .withDescription(
                            "Database of the names that are given without one. It must exist.");

    @Override
    public String factoryIdentifier() {
        return IDENTIFIER;
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of(MODEL_ROOT);
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        Set<ConfigOption<?>> all = new LinkedHashSet<>(RemoteSecurity.OF_READERS);
        all.add(DEFAULT_DATABASE);
        all.add(PsOptions.REMOTE);
        return all;
    }

    @Override
    public Catalog createCatalog(Context context) {
        FactoryUtil.CatalogFactoryHelper helper =
                FactoryUtil.createCatalogFactoryHelper(this, context);
        helper.validate();
        Configuration options = Configuration.fromMap(context.getOptions());
        RemoteSecurity.completeReader(options, context.getConfiguration());
        return new FlinkPsCatalog(
                context.getName(),
                options.get(DEFAULT_DATABASE),
                options.get(MODEL_ROOT),
                servers(options));
    }

    private static RemoteServers servers(Configuration options) {
        try {
            return RemoteServers.of(RemoteServers.addresses(options), options);
        } catch (IllegalArgumentException e) {
            throw ModelSpec.refused("catalog: " + e.getMessage(), e);
        }
    }
}
