package io.github.flinkps.flink.table.connector;

import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.options.RemoteSecurity;
import io.github.flinkps.flink.options.RemoteServers;
import io.github.flinkps.flink.table.ModelPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.factories.FactoryUtil;

/**
 * The place of the model of a catalog's table. The catalog shows it among the table's options, so
 * that the model is found where Flink has the table but does not ask the catalog. That is so for
 * the plan of an {@code INSERT} that was compiled before, and for a table {@code LIKE} it of
 * another catalog.
 *
 * @param path of the model
 * @param remote servers of the catalog
 */
record ModelIdentifier(ModelPath path, RemoteServers remote) {
    /** The servers that a catalog of models names. */
    static final ConfigOption<List<String>> CATALOG_SERVERS =
            ConfigOptions.key("catalog-servers")
                    .stringType()
                    .asList()
                    .defaultValues()
                    .withDescription(
                            "The servers that the catalog of the model names: jobs use them unless"
                                    + " the option servers or remote says otherwise.");

    private static final String CATALOG = "catalog-";

    /**
     * The options by which the servers are reached: those of {@link RemoteSecurity}, of the
     * catalog.
     */
    private static final Map<String, ConfigOption<String>> CATALOG_SECURITY =
            RemoteSecurity.OF_READERS.stream()
                    .collect(Collectors.toMap(ConfigOption::key, ModelIdentifier::ofCatalog));

    private static final List<String> KEYS =
            Stream.concat(
                            Stream.of(
                                    FactoryUtil.CONNECTOR.key(),
                                    PsOptions.MODEL_ROOT.key(),
                                    ModelTableFactory.MODEL.key()),
                            ofServers().stream().map(ConfigOption::key))
                    .toList();

    private static ConfigOption<String> ofCatalog(ConfigOption<String> option) {
        return ConfigOptions.key(CATALOG + option.key())
                .stringType()
                .noDefaultValue()
                .withDescription("The option " + option.key() + " of the catalog of the model.");
    }

    /** Returns the options that say which servers the catalog of a model names. */
    static List<ConfigOption<?>> ofServers() {
        List<ConfigOption<?>> all = new ArrayList<>(CATALOG_SECURITY.values());
        all.add(CATALOG_SERVERS);
        return all;
    }

    /** Takes the servers that the catalog of a model names out of the options of its table. */
    static RemoteServers takeServers(Map<String, String> options) {
        Configuration given = Configuration.fromMap(options);
        Configuration files = new Configuration();
        CATALOG_SECURITY.forEach(
                (key, shown) ->
                        given.getOptional(shown).ifPresent(file -> files.setString(key, file)));
        ofServers().forEach(option -> options.remove(option.key()));
        return RemoteServers.of(given.get(CATALOG_SERVERS), files);
    }

    /** Returns the options of the table: those of the model, and where it is. */
    Map<String, String> shown(Map<String, String> options) {
        Map<String, String> shown = new TreeMap<>(options);
        shown.put(FactoryUtil.CONNECTOR.key(), ModelTableFactory.IDENTIFIER);
        shown.put(PsOptions.MODEL_ROOT.key(), path.root());
        shown.put(ModelTableFactory.MODEL.key(), path.toString());
        if (!remote.addresses().isEmpty()) {
            shown.put(CATALOG_SERVERS.key(), String.join(";", remote.addresses()));
        }
        remote.files().forEach((key, file) -> shown.put(CATALOG + key, file));
        return shown;
    }

    /** Returns the options of the model alone, whatever model was shown with them. */
    static Map<String, String> hidden(Map<String, String> shown) {
        Map<String, String> options = new TreeMap<>(shown);
        if (ModelTableFactory.IDENTIFIER.equals(shown.get(FactoryUtil.CONNECTOR.key()))) {
            KEYS.forEach(options::remove);
        }
        return options;
    }

    /**
     * Returns the options of the model alone, of a table that must be of this place.
     *
     * @throws ValidationException if the options name another place, as those of a statement may
     */
    Map<String, String> hidden(String table, Map<String, String> shown) {
        Map<String, String> options = hidden(shown);
        Map<String, String> ours = shown(options);
        for (String key : KEYS) {
            if (shown.containsKey(key)
                    && !options.containsKey(key)
                    && !shown.get(key).equals(ours.get(key))) {
                throw new ValidationException(
                        "table "
                                + table
                                + ": the option '"
                                + key
                                + "' is the catalog's, which shows it for what does not ask the"
                                + " catalog; it cannot be '"
                                + shown.get(key)
                                + "'");
            }
        }
        return options;
    }
}
