package io.github.flinkps.flink.table.connector;

import io.github.flinkps.flink.options.PsOptions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.factories.FactoryUtil;

/**
 * Where the model of a catalog's table is. The catalog shows it among the table's options, so that
 * the model is found where Flink has the table but does not ask the catalog: by the plan of an
 * {@code INSERT} that was compiled before, or by a table {@code LIKE} it of another catalog.
 *
 * @param root folder of models
 * @param database of the model
 * @param model its name
 * @param remote servers of the catalog; empty: none
 */
record ModelIdentifier(String root, String database, String model, List<String> remote) {
    /** The servers that a catalog of models names. */
    static final ConfigOption<List<String>> CATALOG_SERVERS =
            ConfigOptions.key("catalog-servers")
                    .stringType()
                    .asList()
                    .defaultValues()
                    .withDescription(
                            "The servers that the catalog of the model names: jobs use them unless"
                                    + " the option servers or remote says otherwise.");

    private static final List<String> KEYS =
            List.of(
                    FactoryUtil.CONNECTOR.key(),
                    PsOptions.MODEL_ROOT.key(),
                    ModelTableFactory.MODEL.key(),
                    CATALOG_SERVERS.key());

    /** Returns the options of the table: those of the model, and where it is. */
    Map<String, String> shown(Map<String, String> options) {
        Map<String, String> shown = new TreeMap<>(options);
        shown.put(FactoryUtil.CONNECTOR.key(), ModelTableFactory.IDENTIFIER);
        shown.put(PsOptions.MODEL_ROOT.key(), root);
        shown.put(ModelTableFactory.MODEL.key(), database + "." + model);
        if (!remote.isEmpty()) {
            shown.put(CATALOG_SERVERS.key(), String.join(";", remote));
        }
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
