package io.github.flinkps.flink.table.connector;

import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.options.RemoteServers;
import io.github.flinkps.flink.serving.PredictorSpec;
import io.github.flinkps.flink.table.ModelPath;
import io.github.flinkps.flink.table.ModelSpec;
import io.github.flinkps.flink.table.RootLocator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.source.LookupTableSource;
import org.apache.flink.table.connector.source.lookup.AsyncLookupFunctionProvider;
import org.apache.flink.table.connector.source.lookup.LookupOptions;
import org.apache.flink.table.connector.source.lookup.PartialCachingAsyncLookupProvider;
import org.apache.flink.table.connector.source.lookup.cache.DefaultLookupCache;
import org.apache.flink.table.functions.AsyncLookupFunction;

/** The settings for looking up rows in a model: the options of the tables behind its name. */
public final class LookupSettings {
    /** The version of a model that is read. */
    static final ConfigOption<String> VERSION = ModelTableFactory.VERSION;

    /** Every option that a table for look-ups takes. */
    public static final List<ConfigOption<?>> ALL =
            List.of(
                    VERSION,
                    PsOptions.REFRESH_INTERVAL,
                    PsOptions.CACHE_ROWS,
                    PsOptions.TIMEOUT,
                    PsOptions.PEER_TIMEOUT,
                    LookupOptions.CACHE_TYPE,
                    LookupOptions.PARTIAL_CACHE_MAX_ROWS,
                    LookupOptions.PARTIAL_CACHE_EXPIRE_AFTER_ACCESS,
                    LookupOptions.PARTIAL_CACHE_EXPIRE_AFTER_WRITE,
                    LookupOptions.PARTIAL_CACHE_CACHE_MISSING_KEY);

    private final Configuration options;

    /**
     * @param table its name, for messages
     * @throws ValidationException naming an option that is none, or whose value is wrong
     */
    LookupSettings(String table, Map<String, String> given) {
        Map<String, String> unknown = new TreeMap<>(given);
        ALL.forEach(option -> unknown.remove(option.key()));
        if (!unknown.isEmpty()) {
            throw new ValidationException(
                    "table "
                            + table
                            + " has no option '"
                            + unknown.keySet().iterator().next()
                            + "'; there are "
                            + String.join(", ", keys()));
        }
        options = Configuration.fromMap(given);
        for (ConfigOption<?> option : ALL) {
            try {
                options.getOptional(option);
            } catch (IllegalArgumentException e) {
                throw ModelSpec.refused(
                        "table " + table + ": option '" + option.key() + "': " + e.getMessage(), e);
            }
        }
        if (options.get(LookupOptions.CACHE_TYPE) == LookupOptions.LookupCacheType.FULL) {
            throw new ValidationException(
                    "table "
                            + table
                            + ": option '"
                            + LookupOptions.CACHE_TYPE.key()
                            + "' must be NONE or PARTIAL: a model is looked into, not copied");
        }
        checkCache(table);
    }

    private void checkCache(String table) {
        if (options.get(LookupOptions.CACHE_TYPE) == LookupOptions.LookupCacheType.PARTIAL
                && options.getOptional(LookupOptions.PARTIAL_CACHE_MAX_ROWS).orElse(1L) < 1) {
            throw new ValidationException(
                    "table "
                            + table
                            + ": option '"
                            + LookupOptions.PARTIAL_CACHE_MAX_ROWS.key()
                            + "' must be at least 1, not "
                            + options.get(LookupOptions.PARTIAL_CACHE_MAX_ROWS));
        }
    }

    private static List<String> keys() {
        return ALL.stream().map(ConfigOption::key).sorted().toList();
    }

    /** Returns the version that is asked for; null for what the model is now. */
    String version() {
        return options.get(VERSION);
    }

    /**
     * Returns where a model is found, and how it is read.
     *
     * @param remote servers that may have it
     * @throws IllegalArgumentException naming the option that is out of range
     */
    PredictorSpec predictor(ModelPath model, RemoteServers remote) {
        PsOptions.check(options);
        return new PredictorSpec(
                model.toString(),
                model.nameOnServers(),
                new RootLocator(model, version()),
                version() == null ? remote.addresses() : List.of(),
                remote.security(),
                options.get(PsOptions.PEER_TIMEOUT),
                options.get(PsOptions.REFRESH_INTERVAL),
                options.get(PsOptions.CACHE_ROWS),
                options.get(PsOptions.TIMEOUT));
    }

    LookupTableSource.LookupRuntimeProvider provider(AsyncLookupFunction lookup) {
        return options.get(LookupOptions.CACHE_TYPE) == LookupOptions.LookupCacheType.PARTIAL
                ? PartialCachingAsyncLookupProvider.of(
                        lookup, DefaultLookupCache.fromConfig(options))
                : AsyncLookupFunctionProvider.of(lookup);
    }

    /**
     * Returns the places in a row of keys of the first columns of a table.
     *
     * @param table its name, for messages
     * @param names of all its columns
     * @param count of the first ones, by which rows are looked up
     * @throws ValidationException if rows are looked up by others
     */
    static int[] places(
            String table, LookupTableSource.LookupContext context, List<String> names, int count) {
        int[] places = new int[count];
        Arrays.fill(places, -1);
        List<String> others = new ArrayList<>();
        int[][] keys = context.getKeys();
        for (int i = 0; i < keys.length; i++) {
            if (keys[i][0] < count) {
                places[keys[i][0]] = i;
            } else {
                others.add(names.get(keys[i][0]));
            }
        }
        List<String> missing = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (places[i] < 0) {
                missing.add(names.get(i));
            }
        }
        if (!missing.isEmpty() || !others.isEmpty()) {
            throw new ValidationException(
                    "rows of table "
                            + table
                            + " are looked up by equality of "
                            + String.join(", ", names.subList(0, count))
                            + " with values of the same types"
                            + (missing.isEmpty() ? "" : "; not given: " + missing)
                            + (others.isEmpty() ? "" : "; too much: " + others));
        }
        return places;
    }
}
