package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.HasElasticNet;
import io.github.flinkps.flink.ml.param.HasFeaturesCol;
import io.github.flinkps.flink.ml.param.HasFeaturesCols;
import io.github.flinkps.flink.ml.param.HasGlobalBatchSize;
import io.github.flinkps.flink.ml.param.HasInitialModel;
import io.github.flinkps.flink.ml.param.HasItemCol;
import io.github.flinkps.flink.ml.param.HasKeptVersions;
import io.github.flinkps.flink.ml.param.HasLabelCol;
import io.github.flinkps.flink.ml.param.HasLabelValues;
import io.github.flinkps.flink.ml.param.HasMaxIter;
import io.github.flinkps.flink.ml.param.HasModelRoot;
import io.github.flinkps.flink.ml.param.HasNumFeatures;
import io.github.flinkps.flink.ml.param.HasOptions;
import io.github.flinkps.flink.ml.param.HasPredictionCol;
import io.github.flinkps.flink.ml.param.HasRawPredictionCol;
import io.github.flinkps.flink.ml.param.HasReg;
import io.github.flinkps.flink.ml.param.HasTune;
import io.github.flinkps.flink.ml.param.HasUserCol;
import io.github.flinkps.flink.ml.param.HasWeightCol;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.table.ModelColumn;
import io.github.flinkps.flink.table.ModelDefinition;
import io.github.flinkps.flink.table.ModelOptions;
import io.github.flinkps.flink.table.ModelSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.flink.ml.api.Stage;
import org.apache.flink.ml.param.Param;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.types.logical.LogicalType;

/** The params of a stage as columns, and as options of a model's table. */
final class Stages {
    /** The params that are not options of a model's table by themselves. */
    private static final Set<Param<?>> OWN =
            Set.of(
                    HasFeaturesCol.FEATURES_COL,
                    HasFeaturesCols.FEATURES_COLS,
                    HasUserCol.USER_COL,
                    HasItemCol.ITEM_COL,
                    HasLabelCol.LABEL_COL,
                    HasWeightCol.WEIGHT_COL,
                    HasPredictionCol.PREDICTION_COL,
                    HasRawPredictionCol.RAW_PREDICTION_COL,
                    HasReg.REG,
                    HasElasticNet.ELASTIC_NET,
                    HasGlobalBatchSize.GLOBAL_BATCH_SIZE,
                    HasModelRoot.MODEL_ROOT,
                    HasInitialModel.INITIAL_MODEL,
                    HasKeptVersions.KEPT_VERSIONS,
                    HasTune.TUNE,
                    HasOptions.OPTIONS);

    private static final Map<Param<?>, String> NAMES =
            Map.of(
                    HasMaxIter.MAX_ITER,
                    PsOptions.EPOCHS.key(),
                    HasNumFeatures.NUM_FEATURES,
                    "features");

    /** Stands for the column of labels where there are none. */
    private static final String LABEL = "the label";

    private Stages() {}

    /**
     * Returns the columns of features.
     *
     * @throws ValidationException if the table lacks one
     */
    static List<ColumnReader> features(Stage<?> stage, ResolvedSchema schema) {
        if (stage instanceof HasUserCol<?> users && stage instanceof HasItemCol<?> items) {
            return List.of(
                    ColumnReader.of(schema, "userCol", users.getUserCol()),
                    ColumnReader.of(schema, "itemCol", items.getItemCol()));
        }
        if (stage instanceof HasFeaturesCols<?> several && several.getFeaturesCols() != null) {
            List<ColumnReader> columns = new ArrayList<>();
            for (String column : several.getFeaturesCols()) {
                columns.add(ColumnReader.of(schema, "featuresCols", column));
            }
            return columns;
        }
        String column = ((HasFeaturesCol<?>) stage).getFeaturesCol();
        return List.of(ColumnReader.of(schema, "featuresCol", column));
    }

    /** Returns the column of labels; null where the algorithm looks at none. */
    static ColumnReader label(Stage<?> stage, ResolvedSchema schema) {
        return stage instanceof HasLabelCol<?> labels
                ? ColumnReader.of(schema, "labelCol", labels.getLabelCol())
                : null;
    }

    /** Returns the column of weights; null for none. */
    static ColumnReader weight(Stage<?> stage, ResolvedSchema schema) {
        return stage instanceof HasWeightCol<?> weights && weights.getWeightCol() != null
                ? ColumnReader.of(schema, "weightCol", weights.getWeightCol())
                : null;
    }

    /**
     * Returns the options that params say.
     *
     * @throws ValidationException for an option that is said twice, or is none of the user's
     */
    static Map<String, String> options(Stage<?> stage, String algorithm) {
        Map<String, String> options = new TreeMap<>();
        options.put(ModelOptions.ALGORITHM.key(), algorithm);
        stage.getParamMap()
                .forEach(
                        (param, value) -> {
                            if (value != null && !OWN.contains(param)) {
                                options.put(option(param), text(value));
                            }
                        });
        regularisation(stage, options);
        if (stage instanceof HasOptions<?> further) {
            for (String option : further.getOptions()) {
                add(option, options);
            }
        }
        return options;
    }

    /**
     * Returns a model's table of columns.
     *
     * @throws ValidationException naming the column or option that is wrong
     */
    static ModelSpec spec(
            Stage<?> stage,
            String algorithm,
            List<ColumnReader> columns,
            Map<String, String> options) {
        List<ModelColumn> declared =
                columns.stream()
                        .map(column -> ModelColumn.of(column.name(), column.sqlType()))
                        .toList();
        try {
            return ModelSpec.of(algorithm, new ModelDefinition("", declared, options));
        } catch (ValidationException e) {
            throw ModelSpec.refused(e.getMessage() + params(stage, e.getMessage()), e);
        }
    }

    /**
     * Returns the params of the options that a message names, where the params have other names.
     */
    private static String params(Stage<?> stage, String message) {
        StringBuilder said = new StringBuilder();
        if (stage instanceof HasFeaturesCols<?> && names(message, "fields")) {
            said.append("; fields are the columns that featuresCols names");
        }
        if (stage instanceof HasLabelValues<?> labels
                && labels.getLabelValues() == null
                && message.contains("option '" + ModelOptions.LABEL_VALUES.key() + "'")) {
            said.append("; param labelValues says label-values");
        }
        stage.getParamMap()
                .forEach(
                        (param, value) -> {
                            boolean given = value != null && !value.equals(param.defaultValue);
                            for (String option : given ? optionsOf(param) : List.<String>of()) {
                                if (!option.equals(param.name) && names(message, option)) {
                                    said.append("; param ")
                                            .append(param.name)
                                            .append(" says ")
                                            .append(option);
                                }
                            }
                        });
        return said.toString();
    }

    private static List<String> optionsOf(Param<?> param) {
        if (param.equals(HasReg.REG) || param.equals(HasElasticNet.ELASTIC_NET)) {
            return List.of("l1", "l2");
        }
        if (param.equals(HasGlobalBatchSize.GLOBAL_BATCH_SIZE)) {
            return List.of(PsOptions.BATCH_SIZE.key());
        }
        return OWN.contains(param) ? List.of() : List.of(option(param));
    }

    private static boolean names(String message, String option) {
        return Pattern.compile("(?<![\\w-])" + Pattern.quote(option) + "(?![\\w-])")
                .matcher(message)
                .find();
    }

    /**
     * Refuses columns that cannot be features of an algorithm.
     *
     * @throws ValidationException naming the column
     */
    static void checkFeatures(Stage<?> stage, String algorithm, List<ColumnReader> features) {
        List<ColumnReader> columns = new ArrayList<>(features);
        LogicalType number = DataTypes.DOUBLE().getLogicalType();
        columns.add(new ColumnReader(LABEL, features.size(), false, number));
        Map<String, String> options = options(stage, algorithm);
        options.put(ModelOptions.LABEL.key(), LABEL);
        options.remove(ModelOptions.LABEL_VALUES.key());
        spec(stage, algorithm, columns, options);
    }

    private static void regularisation(Stage<?> stage, Map<String, String> options) {
        double reg = stage instanceof HasReg<?> has && has.getReg() != null ? has.getReg() : 0;
        double share = stage instanceof HasElasticNet<?> has ? has.getElasticNet() : 0;
        if (reg * share > 0) {
            options.put("l1", Double.toString(reg * share));
        }
        if (reg * (1 - share) > 0) {
            options.put("l2", Double.toString(reg * (1 - share)));
        }
    }

    private static void add(String option, Map<String, String> options) {
        int equals = option.indexOf('=');
        if (equals < 1) {
            throw new ValidationException(
                    "options must be given as name=value, not '" + option + "'");
        }
        String name = option.substring(0, equals).trim();
        boolean column =
                name.equals(ModelOptions.LABEL.key()) || name.equals(ModelOptions.WEIGHT.key());
        String before = options.putIfAbsent(name, option.substring(equals + 1).trim());
        if (before != null || column) {
            throw new ValidationException(
                    "option '" + name + "' is said by a param of its own: leave it out of options");
        }
    }

    private static String option(Param<?> param) {
        return NAMES.getOrDefault(
                param, param.name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT));
    }

    private static String text(Object value) {
        return value instanceof String[] list
                ? Arrays.stream(list).map(Stages::quoted).collect(Collectors.joining(";"))
                : value.toString();
    }

    /** Returns an element of a list, in quotes where the list would be read otherwise. */
    private static String quoted(String element) {
        boolean plain =
                element.equals(element.strip())
                        && element.chars().noneMatch(c -> ";'\"".indexOf(c) >= 0);
        return plain ? element : "'" + element.replace("'", "''") + "'";
    }
}
