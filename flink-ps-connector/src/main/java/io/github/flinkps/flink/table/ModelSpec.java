package io.github.flinkps.flink.table;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.algorithm.ModelOption;
import io.github.flinkps.flink.algorithm.RowShape;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.algorithm.TrainingModelFactory;
import io.github.flinkps.flink.algorithm.TrainingModels;
import io.github.flinkps.flink.data.LabelNames;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.OnBadRow;
import io.github.flinkps.flink.data.TableRecipe;
import io.github.flinkps.flink.internal.compat.SqlTypes;
import io.github.flinkps.flink.options.OptionChecks;
import io.github.flinkps.server.update.UpdateFunctions;
import io.github.flinkps.server.update.UpdateOption;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A definition that was checked: the model it makes, how rows of its table become the model's, and
 * the options of jobs that train it. Every mistake in a definition is a {@link ValidationException}
 * that names the option or column. Immutable.
 */
public final class ModelSpec {
    private static final Logger LOG = LoggerFactory.getLogger(ModelSpec.class);
    private static final String OPTIMIZER = "optimizer";

    private final ModelDefinition definition;
    private final Map<String, LogicalType> types = new TreeMap<>();
    private final Configuration rowOptions;
    private final Configuration jobOptions;
    private final Configuration tuningOptions;
    private final Map<String, String> modelOptions = new TreeMap<>();
    private final TrainingModelFactory factory;
    private final TrainingModel model;
    private final Features features;
    private final Labels labels;

    private ModelSpec(ModelDefinition definition) {
        this.definition = definition;
        for (ModelColumn column : definition.columns()) {
            types.put(column.name(), SqlTypes.parse(column.type()));
        }
        Map<String, String> given = definition.options();
        rowOptions = OptionChecks.read(given, ModelOptions.OF_ROWS);
        jobOptions = OptionChecks.read(given, ModelOptions.OF_JOBS);
        OptionChecks.check(jobOptions);
        tuningOptions = OptionChecks.read(given, ModelOptions.OF_TUNING);
        factory = TrainingModels.factory(rowOptions.get(ModelOptions.ALGORITHM));
        checkColumns();
        features = new Features(definition.columns(), types, rowOptions, given, factory.rowShape());
        model = model(given);
        features.check(denseKeys(), keyBits());
        labels = labels(model.labels());
    }

    /**
     * Checks a definition, and returns what it says of the model.
     *
     * @param name of the model, for messages
     * @throws ValidationException naming the option or column that is wrong
     */
    public static ModelSpec of(String name, ModelDefinition definition) {
        try {
            return new ModelSpec(definition);
        } catch (IllegalArgumentException | ValidationException e) {
            throw refused("model " + name + ": " + e.getMessage(), e);
        }
    }

    /**
     * Returns an error that says all by itself: it has no cause, nor anything suppressed that may
     * have one, as the client of SQL shows nothing but the last cause that is printed. Its stack
     * trace is that of the reason.
     */
    public static ValidationException refused(String message, Exception why) {
        LOG.debug("{}", message, why);
        ValidationException refused = new ValidationException(message);
        refused.setStackTrace(why.getStackTrace());
        return refused;
    }

    public ModelDefinition definition() {
        return definition;
    }

    /** Returns the model: what is trained. */
    public TrainingModel model() {
        return model;
    }

    /** Returns how rows of the table become the model's, for its versions. */
    public TableRecipe recipe() {
        Map<String, String> options = new TreeMap<>(definition.options());
        options.keySet().removeAll(keys(ModelOptions.OF_JOBS));
        options.keySet().removeAll(keys(ModelOptions.OF_TUNING));
        return new TableRecipe(
                definition.columns().stream()
                        .map(column -> new TableRecipe.Column(column.name(), column.type()))
                        .toList(),
                options);
    }

    /** Returns the options of a job that trains it, as far as they were given. */
    public Configuration jobOptions() {
        return new Configuration(jobOptions);
    }

    /** Returns the options of the model and its optimizer, as far as they were given. */
    public Map<String, String> modelOptions() {
        return Map.copyOf(modelOptions);
    }

    /** Returns whether rows that are inserted find options, and train nothing. */
    public boolean tunes() {
        return tuningOptions.get(ModelOptions.TUNE);
    }

    /** Returns the features of single numbers of whose scaling nothing is said. */
    public List<String> scalable() {
        return definition.options().containsKey(ModelOptions.NUMERIC.key())
                ? List.of()
                : features.numbers().stream()
                        .filter(
                                name ->
                                        !definition
                                                .options()
                                                .containsKey(ModelOptions.NUMERIC_PREFIX + name))
                        .toList();
    }

    /** Returns what becomes of rows that cannot be used. */
    public OnBadRow onBadRow() {
        return rowOptions.get(ModelOptions.ON_BAD_ROW);
    }

    /** Returns the columns that are features, in the order of their declaration. */
    public List<ModelColumn> features() {
        return features.columns();
    }

    /**
     * Returns the types of the features by name, in the order of their declaration, as if all were
     * nullable.
     */
    Map<String, LogicalType> featureTypes() {
        Map<String, LogicalType> found = new LinkedHashMap<>();
        features().forEach(column -> found.put(column.name(), type(column).copy(true)));
        return found;
    }

    /**
     * Returns what keys of a table stand for, such as a column of numbers, as far as that is known
     * without looking at rows: not the values of texts. Empty for tables that are not of features.
     */
    public Map<Long, String> featureNames(TableSpec table) {
        String dense = model.options().get(ModelOption.FEATURES.name());
        boolean ofFeatures =
                table.size() == TableSpec.SPARSE
                        || table.size() > 1 && Long.toString(table.size()).equals(dense);
        return ofFeatures ? features.names() : Map.of();
    }

    /** Returns whether features may come and go, as the keys of one do not depend on the others. */
    boolean takesAnyFeatures() {
        return factory.rowShape() == RowShape.ANY && denseKeys() == 0;
    }

    /** Returns the column of labels; null where the algorithm looks at none. */
    public ModelColumn label() {
        return column(rowOptions.get(ModelOptions.LABEL));
    }

    /** Returns the labels of the model, with the names that rows have for them, if any. */
    public Labels labels() {
        return labels;
    }

    /** Returns whether the column of labels is one of texts. */
    public boolean hasTextLabels() {
        return label() != null && FeatureKind.isText(type(label()));
    }

    /** Returns the type of a column. */
    public LogicalType type(ModelColumn column) {
        return types.get(column.name());
    }

    /** Returns the encoder of whole rows of the table: features, label and weight. */
    public RowEncoder trainingRows() {
        return trainingRows(definition.columns().stream().map(this::type).toList());
    }

    /**
     * Returns the encoder of training rows, whose columns are of other types.
     *
     * @param given for each of the columns
     * @throws ValidationException naming a column whose type means something else than the declared
     *     one
     */
    public RowEncoder trainingRows(List<LogicalType> given) {
        List<ModelColumn> all = definition.columns();
        for (int i = 0; i < all.size(); i++) {
            check(all.get(i), given.get(i));
        }
        String label = rowOptions.get(ModelOptions.LABEL);
        String weight = rowOptions.get(ModelOptions.WEIGHT);
        return new RowEncoder(
                features.encoders(all::indexOf, column -> given.get(all.indexOf(column))),
                target(label, given),
                target(weight, given),
                labels);
    }

    /**
     * Returns where rows of the given types have a column, which is a label or weight; null for
     * none.
     */
    private RowEncoder.Target target(String column, List<LogicalType> given) {
        if (column == null) {
            return null;
        }
        int place = definition.columns().indexOf(column(column));
        return new RowEncoder.Target(column, RowEncoder.getter(given.get(place), place));
    }

    /**
     * Checks that values of the type mean what those of the declared one do.
     *
     * @throws ValidationException naming the column and the type it must be
     */
    private void check(ModelColumn column, LogicalType type) {
        String role = "feature";
        boolean fits;
        if (column.name().equals(rowOptions.get(ModelOptions.LABEL))) {
            role = "label";
            fits =
                    hasTextLabels()
                            ? FeatureKind.isText(type)
                            : FeatureKind.isNumber(type) || type.is(LogicalTypeRoot.BOOLEAN);
        } else if (column.name().equals(rowOptions.get(ModelOptions.WEIGHT))) {
            role = "weight";
            fits = FeatureKind.isNumber(type);
        } else {
            fits = features.fits(column, type);
        }
        if (!fits) {
            throw new ValidationException(
                    role
                            + " '"
                            + column.name()
                            + "' must be "
                            + type(column).asSummaryString()
                            + ", or what is cast to it without loss, not "
                            + type.asSummaryString());
        }
    }

    /**
     * Returns the encoder of rows that hold the {@link #features} only, in their order; labels are
     * 0.
     */
    public RowEncoder featureRows() {
        return featureRows(features().stream().map(this::type).toList());
    }

    /**
     * Returns the encoder of rows of features that are of other types.
     *
     * @param given for each of the features
     * @throws ValidationException naming a feature whose type means something else than the
     *     declared one
     */
    public RowEncoder featureRows(List<LogicalType> given) {
        return featureRows(features().stream().map(ModelColumn::name).toList(), given);
    }

    /**
     * Returns the encoder of rows of features in another order.
     *
     * @param names of the columns of the rows
     * @param given their types
     * @throws ValidationException naming a column that is no feature, a feature that is missing, or
     *     one whose type means something else than the declared one
     */
    public RowEncoder featureRows(List<String> names, List<LogicalType> given) {
        List<String> declared = features().stream().map(ModelColumn::name).toList();
        for (String name : names) {
            if (!declared.contains(name)) {
                throw new ValidationException(
                        "column '" + name + "' is none of the features " + declared);
            }
        }
        for (ModelColumn feature : features()) {
            int place = names.indexOf(feature.name());
            if (place < 0) {
                throw new ValidationException("feature '" + feature.name() + "' is missing");
            }
            check(feature, given.get(place));
        }
        return new RowEncoder(
                features.encoders(
                        feature -> names.indexOf(feature.name()),
                        feature -> given.get(names.indexOf(feature.name()))),
                null,
                null,
                labels);
    }

    private ModelColumn column(String name) {
        return name == null
                ? null
                : definition.columns().stream()
                        .filter(column -> column.name().equals(name))
                        .findFirst()
                        .orElse(null);
    }

    private void checkColumns() {
        for (ConfigOption<String> option : List.of(ModelOptions.LABEL, ModelOptions.WEIGHT)) {
            String named = rowOptions.get(option);
            if (named != null && !types.containsKey(named)) {
                throw new IllegalArgumentException(
                        "option '"
                                + option.key()
                                + "' names column '"
                                + named
                                + "', which is none of "
                                + String.join(", ", names(definition.columns())));
            }
        }
        String label = rowOptions.get(ModelOptions.LABEL);
        String weight = rowOptions.get(ModelOptions.WEIGHT);
        if (label != null && label.equals(weight)) {
            throw new IllegalArgumentException("column '" + label + "' is both label and weight");
        }
        if (label == null && factory.learnsLabels()) {
            throw new IllegalArgumentException(
                    "algorithm "
                            + factory.name()
                            + " needs the option 'label', the column that is learned: one of "
                            + String.join(", ", names(definition.columns())));
        }
        if (weight != null && !FeatureKind.isNumber(types.get(weight))) {
            throw new IllegalArgumentException(
                    "weight column '" + weight + "' must be a number, not " + types.get(weight));
        }
    }

    private static Set<String> names(List<ModelOption> options) {
        return options.stream().map(ModelOption::name).collect(Collectors.toSet());
    }

    public static List<String> names(Collection<ModelColumn> columns) {
        return columns.stream().map(ModelColumn::name).toList();
    }

    /** Returns the keys of a dense table of features; 0 if the table is sparse. */
    private long denseKeys() {
        String keys = model.options().get(ModelOption.FEATURES.name());
        boolean dense =
                keys != null
                        && model.tables().stream()
                                .anyMatch(table -> table.size() != TableSpec.SPARSE);
        return dense ? Long.parseLong(keys) : 0;
    }

    private int keyBits() {
        String bits = model.options().get(ModelOption.KEY_BITS.name());
        return bits == null ? Long.SIZE : Integer.parseInt(bits);
    }

    private TrainingModel model(Map<String, String> given) {
        Set<String> own = names(factory.columnOptions());
        for (String name : names(factory.options())) {
            if (given.containsKey(name) && !own.contains(name)) {
                throw new IllegalArgumentException(
                        "option '"
                                + name
                                + "' is of rows of indices, but columns are hashed: leave it out");
            }
        }
        TreeMap<String, String> options = new TreeMap<>(given);
        options.keySet().removeAll(keys(ModelOptions.OF_ROWS));
        options.keySet().removeAll(keys(ModelOptions.OF_JOBS));
        options.keySet().removeAll(keys(ModelOptions.OF_TUNING));
        options.keySet().removeIf(features::isNumericOption);
        if (factory.rowShape() == RowShape.FIELDS) {
            String fields = Integer.toString(features.columns().size());
            String stated = options.putIfAbsent("fields", fields);
            if (stated != null && !stated.equals(fields)) {
                throw new IllegalArgumentException(
                        "option 'fields' must be "
                                + fields
                                + ", the number of features, or be left away; not "
                                + stated);
            }
        }
        TreeMap<String, String> known = new TreeMap<>(options);
        known.keySet().removeIf(name -> !own.contains(name) && !name.equals(OPTIMIZER));
        String optimizer = factory.create(known).options().get(OPTIMIZER);
        Set<String> ofOptimizer = optimizer == null ? Set.of() : optionsOf(optimizer);
        checkNames("algorithm '" + factory.name() + "'", own);
        checkNames("optimizer '" + optimizer + "'", ofOptimizer);
        for (String name : options.keySet()) {
            if (!own.contains(name) && !ofOptimizer.contains(name)) {
                throw new IllegalArgumentException(
                        "there is no option '"
                                + name
                                + "' with algorithm "
                                + factory.name()
                                + (optimizer == null ? "" : " and optimizer " + optimizer)
                                + "; there are "
                                + String.join(", ", all(own, ofOptimizer)));
            }
        }
        modelOptions.putAll(options);
        TrainingModel made = factory.create(options);
        made.tables().forEach(table -> UpdateFunctions.maker(table.update()));
        return made;
    }

    /** Returns the options that an optimizer gives a model, with that of its name. */
    private static Set<String> optionsOf(String optimizer) {
        try {
            Set<String> names = new TreeSet<>(Set.of(OPTIMIZER));
            UpdateFunctions.options(UpdateFunctions.factory(optimizer)).stream()
                    .map(UpdateOption::name)
                    .forEach(names::add);
            return names;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("option 'optimizer': " + e.getMessage(), e);
        }
    }

    /** Refuses what takes options under names that are others' in a table. */
    private static void checkNames(String taker, Set<String> options) {
        Set<String> taken = keys(ModelOptions.OF_ROWS);
        taken.addAll(keys(ModelOptions.OF_JOBS));
        taken.addAll(keys(ModelOptions.OF_TUNING));
        taken.retainAll(options);
        if (!taken.isEmpty()) {
            String name = taken.iterator().next();
            throw new IllegalArgumentException(
                    taker
                            + " cannot be used here: a table has another option '"
                            + name
                            + "', so its own needs another name");
        }
    }

    private static Set<String> all(Set<String> own, Set<String> ofOptimizer) {
        TreeSet<String> all = new TreeSet<>(own);
        all.addAll(ofOptimizer);
        all.addAll(keys(ModelOptions.OF_ROWS));
        all.addAll(keys(ModelOptions.OF_JOBS));
        all.addAll(keys(ModelOptions.OF_TUNING));
        all.add(ModelOptions.NUMERIC_PREFIX + "COLUMN");
        return all;
    }

    private static Set<String> keys(List<ConfigOption<?>> options) {
        return options.stream()
                .map(ConfigOption::key)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the model's labels with the names that the options give them. */
    private Labels labels(Labels plain) {
        ModelColumn label = label();
        List<String> values = rowOptions.get(ModelOptions.LABEL_VALUES);
        if (label == null) {
            return plain;
        }
        LogicalType type = type(label);
        boolean text = FeatureKind.isText(type);
        boolean number = FeatureKind.isNumber(type);
        if (!text && !number && !type.is(LogicalTypeRoot.BOOLEAN)) {
            throw new IllegalArgumentException(
                    labelColumn("must be a number, BOOLEAN or text, not " + type));
        }
        boolean learnsNumbers = plain.mostTexts() == 0;
        String learns = ": " + factory.name() + " learns " + plain.range();
        if (text && learnsNumbers) {
            throw new IllegalArgumentException(
                    labelColumn("must be a number, not " + type + learns));
        }
        if (!text && values == null) {
            return plain;
        }
        if (learnsNumbers || !text && !number) {
            throw new IllegalArgumentException(
                    "option 'label-values' is for classes that are texts or numbers; '"
                            + label.name()
                            + "' is "
                            + type
                            + (learnsNumbers ? learns : ""));
        }
        return plain.named(names(values, plain, text));
    }

    private String labelColumn(String message) {
        return "label column '" + label().name() + "' " + message;
    }

    private List<List<String>> names(List<String> values, Labels plain, boolean text) {
        int most = plain.mostTexts();
        if (values == null || values.size() != most || Set.copyOf(values).size() != most) {
            throw new IllegalArgumentException(
                    labelColumn(text ? "is text" : "is a number")
                            + ": option 'label-values' must name its "
                            + most
                            + " values, different ones, separated by semicolons"
                            + (plain.kind() == Labels.Kind.CLASS
                                    ? "; option 'classes' says how many there are"
                                    : ""));
        }
        List<List<String>> names = values.stream().map(List::of).toList();
        for (String value : text ? List.<String>of() : values) {
            if (!LabelNames.isExact(value)) {
                throw new IllegalArgumentException(
                        labelColumn("is a number: option 'label-values' names '")
                                + value
                                + "', which is no number, or none between -"
                                + LabelNames.LARGEST_NUMBER
                                + " and "
                                + LabelNames.LARGEST_NUMBER);
            }
        }
        try {
            new LabelNames(names);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("option 'label-values': " + e.getMessage(), e);
        }
        return names;
    }
}
