package io.github.flinkps.flink.table.connector;

import io.github.flinkps.common.Endpoint;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.options.RemoteSecurity;
import io.github.flinkps.flink.options.RemoteServers;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.flink.table.ModelSpec;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
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

    public static final ConfigOption<String> MODEL_ROOT =
            ConfigOptions.key(PsOptions.MODEL_ROOT.key())
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "Needed: the folder of the models, their versions and cuts, on storage"
                                    + " that all processes see. It need not be there yet.");

    public static final ConfigOption<String> DEFAULT_DATABASE =
            ConfigOptions.key("default-database")
                    .stringType()
                    .defaultValue(ServiceRegistry.DEFAULT_DATABASE)
                    .withDescription(
                            "Database of the names that are given without one. It must exist.");

    public static final ConfigOption<String> REMOTE =
            ConfigOptions.key(PsOptions.REMOTE.key())
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "Addresses host:port of parameter servers that run already, separated"
                                    + " by commas or semicolons. Jobs that train models of the"
                                    + " catalog use them, unless the option servers or remote of"
                                    + " a table says otherwise. Without it a job brings its"
                                    + " servers along.");

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
        all.add(REMOTE);
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
        List<String> addresses =
                options.getOptional(REMOTE).map(FlinkPsCatalogFactory::addresses).orElse(List.of());
        try {
            return RemoteServers.of(addresses, options);
        } catch (IllegalArgumentException e) {
            throw ModelSpec.refused("catalog: " + e.getMessage(), e);
        }
    }

    /**
     * Returns the servers of a text, in which people write addresses one after the other, separated
     * by commas or semicolons.
     *
     * @throws org.apache.flink.table.api.ValidationException for an address that is none, or is
     *     named twice
     */
    private static List<String> addresses(String text) {
        List<String> addresses = new ArrayList<>();
        for (String address : text.split("[,;]", -1)) {
            try {
                String server = Endpoint.parse(address.strip()).toString();
                if (addresses.contains(server)) {
                    throw new IllegalArgumentException("the server " + server + " is named twice");
                }
                addresses.add(server);
            } catch (IllegalArgumentException e) {
                throw ModelSpec.refused(
                        "option 'remote': "
                                + e.getMessage()
                                + ", separated by commas or semicolons",
                        e);
            }
        }
        return addresses;
    }
}
