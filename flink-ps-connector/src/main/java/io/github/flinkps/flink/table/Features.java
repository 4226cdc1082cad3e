package io.github.flinkps.flink.table;

import io.github.flinkps.flink.algorithm.RowShape;
import io.github.flinkps.flink.data.FeatureHash;
import io.github.flinkps.flink.data.NumericScale;
import io.github.flinkps.flink.data.NumericTransform;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.types.logical.LogicalType;

/** The columns of a definition that are features. */
final class Features {
    private static final Pattern CALL = Pattern.compile("(\\w+)\\s*(?:\\(([^()]*)\\))?");

    private final List<ModelColumn> columns = new ArrayList<>();
    private final Map<String, LogicalType> types;
    private final Map<String, FeatureKind> kinds = new HashMap<>();
    private final Map<String, NumericScale> scales = new HashMap<>();
    private final Set<String> numericOptions = new HashSet<>();
    private final Set<String> categorical;
    private final int hashBits;
    private final RowShape shape;
    private boolean dense;

    Features(
            List<ModelColumn> all,
            Map<String, LogicalType> types,
            Configuration options,
            Map<String, String> given,
            RowShape shape) {
        this.types = types;
        this.shape = shape;
        this.hashBits =
                FeatureHash.BITS.check("option 'hash-bits'", options.get(ModelOptions.HASH_BITS));
        for (ModelColumn column : all) {
            if (!column.name().equals(options.get(ModelOptions.LABEL))
                    && !column.name().equals(options.get(ModelOptions.WEIGHT))) {
                columns.add(column);
            }
        }
        if (columns.isEmpty()) {
            throw new IllegalArgumentException("no column is left to be a feature");
        }
        categorical = Set.copyOf(options.get(ModelOptions.CATEGORICAL));
        readKinds();
        readScales(options.get(ModelOptions.NUMERIC), given);
    }

    List<ModelColumn> columns() {
        return List.copyOf(columns);
    }

    /** Returns the names of the columns of single numbers. */
    List<String> numbers() {
        return columns.stream()
                .map(ModelColumn::name)
                .filter(name -> kinds.get(name) == FeatureKind.NUMBER)
                .toList();
    }

    /** Returns whether an option of WITH says how a column is scaled. */
    boolean isNumericOption(String name) {
        return numericOptions.contains(name);
    }

    private void readKinds() {
        for (String name : categorical) {
            if (columns.stream().noneMatch(column -> column.name().equals(name))) {
                throw new IllegalArgumentException(
                        "option 'categorical' names '"
                                + name
                                + "', which is none of the features "
                                + String.join(", ", ModelSpec.names(columns)));
            }
        }
        for (ModelColumn column : columns) {
            LogicalType type = types.get(column.name());
            boolean named = categorical.contains(column.name());
            FeatureKind kind = kind(column, type);
            if (kind == null) {
                throw new IllegalArgumentException(
                        "column '"
                                + column.name()
                                + "' of type "
                                + type
                                + " cannot be a feature: features are texts, numbers, BOOLEAN,"
                                + " arrays of these, and maps of texts or whole numbers to numbers;"
                                + " CAST it, or leave it out");
            }
            if (named && kind == FeatureKind.of(type, false) && !FeatureKind.isText(type)) {
                throw new IllegalArgumentException(
                        "option 'categorical' names '"
                                + column.name()
                                + "', which is no whole number but "
                                + type);
            }
            kinds.put(column.name(), kind);
        }
    }

    /**
     * Returns what values of a type, which need not be the declared one, are in a column; null for
     * a type that is no feature.
     */
    private FeatureKind kind(ModelColumn column, LogicalType type) {
        boolean names = categorical.contains(column.name()) || shape == RowShape.PAIR;
        return FeatureKind.of(type, names);
    }

    /** Returns whether values of a type mean in a column what those of the declared type do. */
    boolean fits(ModelColumn column, LogicalType type) {
        return kind(column, type) == kinds.get(column.name());
    }

    private void readScales(String numeric, Map<String, String> given) {
        NumericScale common = scale(ModelOptions.NUMERIC.key(), numeric);
        for (ModelColumn column : columns) {
            scales.put(column.name(), common);
        }
        for (Map.Entry<String, String> option : given.entrySet()) {
            if (!option.getKey().startsWith(ModelOptions.NUMERIC_PREFIX)) {
                continue;
            }
            String name = option.getKey().substring(ModelOptions.NUMERIC_PREFIX.length());
            if (kinds.get(name) != FeatureKind.NUMBER) {
                throw new IllegalArgumentException(
                        "option '"
                                + option.getKey()
                                + "': '"
                                + name
                                + "' is no feature of numbers");
            }
            scales.put(name, scale(option.getKey(), option.getValue()));
            numericOptions.add(option.getKey());
        }
    }

    private static NumericScale scale(String option, String text) {
        Matcher call = CALL.matcher(text.trim());
        List<Double> numbers = call.matches() ? numbers(call.group(2)) : null;
        NumericScale scale = numbers == null ? null : scale(call.group(1), numbers);
        if (scale != null) {
            return scale;
        }
        throw new IllegalArgumentException(
                "option '"
                        + option
                        + "' must be log, log(mean, deviation) or standard(mean, deviation) with a"
                        + " deviation above 0, none, or bucket(b1, b2, ..) with ascending bounds,"
                        + " not '"
                        + text
                        + "'");
    }

    /** Returns the scale of a transform with these numbers; null if there is none. */
    private static NumericScale scale(String transform, List<Double> numbers) {
        int count = numbers.size();
        return switch (transform) {
            case "none" -> count == 0 ? NumericScale.NONE : null;
            case "log" -> count == 0 ? NumericScale.LOG : centered(NumericTransform.LOG, numbers);
            case "standard" -> centered(NumericTransform.STANDARD, numbers);
            case "bucket" ->
                    count > 0 && ascending(numbers)
                            ? new NumericScale(NumericTransform.BUCKET, 0, 1, numbers)
                            : null;
            default -> null;
        };
    }

    /** Returns the scale of a transform with a mean and a deviation above 0; else null. */
    private static NumericScale centered(NumericTransform transform, List<Double> numbers) {
        return numbers.size() == 2 && numbers.get(1) > 0
                ? new NumericScale(transform, numbers.get(0), 1 / numbers.get(1), List.of())
                : null;
    }

    private static boolean ascending(List<Double> numbers) {
        for (int i = 1; i < numbers.size(); i++) {
            if (!(numbers.get(i - 1) < numbers.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Returns the numbers of a list, separated by commas; null unless all are finite numbers. */
    private static List<Double> numbers(String list) {
        if (list == null || list.isBlank()) {
            return List.of();
        }
        try {
            List<Double> numbers =
                    Arrays.stream(list.split(","))
                            .map(part -> Double.valueOf(part.trim()))
                            .toList();
            return numbers.stream().allMatch(Double::isFinite) ? numbers : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /**
     * Checks them against the algorithm's rows.
     *
     * @param denseKeys n where keys are 0 to n - 1; 0 where they are any
     * @param keyBits that keys have at most
     */
    void check(long denseKeys, int keyBits) {
        dense = denseKeys > 0;
        switch (shape) {
            case FIELDS -> checkSingle("one value in each");
            case PAIR -> {
                if (columns.size() != 2) {
                    throw new IllegalArgumentException(
                            "there must be two features, user and item, not "
                                    + String.join(", ", ModelSpec.names(columns)));
                }
                checkSingle("users and items");
            }
            case SEQUENCE -> {
                FeatureKind kind = kinds.get(columns.get(0).name());
                if (columns.size() != 1
                        || kind != FeatureKind.CATEGORIES && kind != FeatureKind.IDS) {
                    throw new IllegalArgumentException(
                            "there must be one feature, an array of words or whole numbers, not "
                                    + String.join(", ", ModelSpec.names(columns)));
                }
            }
            case ANY -> {}
        }
        if (dense) {
            checkDense();
            checkPlaces(denseKeys);
        } else {
            checkHashes(keyBits);
        }
    }

    /**
     * Checks that keys suffice: each column of numbers has a key of its own, an array one at least.
     */
    private void checkPlaces(long denseKeys) {
        if (!hasOwnKeys(columns.get(0)) && columns.size() > denseKeys) {
            throw new IllegalArgumentException(
                    "option 'features' is "
                            + denseKeys
                            + ", but "
                            + columns.size()
                            + " columns are features: it must be as many at least");
        }
    }

    private boolean hasOwnKeys(ModelColumn column) {
        FeatureKind kind = kinds.get(column.name());
        return kind == FeatureKind.IDS || kind == FeatureKind.WEIGHTED_IDS;
    }

    private void checkHashes(int keyBits) {
        for (ModelColumn column : columns) {
            if (!hasOwnKeys(column) && hashBits > keyBits) {
                throw new IllegalArgumentException(
                        "option 'key-bits' is "
                                + keyBits
                                + ", but column '"
                                + column.name()
                                + "' is hashed to 'hash-bits' = "
                                + hashBits
                                + " bits: it must have as few");
            }
        }
    }

    private void checkSingle(String what) {
        for (ModelColumn column : columns) {
            FeatureKind kind = kinds.get(column.name());
            if (!kind.single() || shape == RowShape.PAIR && kind != FeatureKind.CATEGORY) {
                throw new IllegalArgumentException(
                        "column '"
                                + column.name()
                                + "' is "
                                + types.get(column.name())
                                + ": the algorithm wants columns of "
                                + what);
            }
        }
    }

    private void checkDense() {
        for (int i = 0; i < columns.size(); i++) {
            ModelColumn column = columns.get(i);
            boolean last = i == columns.size() - 1;
            boolean fits =
                    switch (kinds.get(column.name())) {
                        case NUMBER ->
                                scales.get(column.name()).transform() != NumericTransform.BUCKET;
                        case DENSE -> last;
                        case IDS, WEIGHTED_IDS -> columns.size() == 1;
                        default -> false;
                    };
            if (!fits) {
                throw new IllegalArgumentException(
                        "option 'features' makes a dense table, of keys 0 to N-1: features must"
                                + " then be columns of numbers, each of which has its place as key,"
                                + " with at most one array of numbers as the last, or one array or"
                                + " map of keys; '"
                                + column.name()
                                + "' is "
                                + types.get(column.name()));
            }
        }
    }

    /**
     * Returns the encoders of the columns, in order.
     *
     * @param places of columns in a row
     * @param given their types in a row, which fit
     */
    List<FeatureColumn> encoders(
            ToIntFunction<ModelColumn> places, Function<ModelColumn, LogicalType> given) {
        List<FeatureColumn> encoders = new ArrayList<>();
        for (ModelColumn column : columns) {
            encoders.add(
                    new FeatureColumn(
                            column.name(),
                            kinds.get(column.name()),
                            given.apply(column),
                            places.applyAsInt(column),
                            scales.get(column.name()),
                            hashBits,
                            dense ? encoders.size() : FeatureColumn.HASHED));
        }
        return encoders;
    }

    /** Returns what keys stand for, as far as that is known without looking at rows. */
    Map<Long, String> names() {
        Map<Long, String> names = new HashMap<>();
        encoders(columns::indexOf, column -> types.get(column.name()))
                .forEach(column -> column.names(names));
        return names;
    }
}
