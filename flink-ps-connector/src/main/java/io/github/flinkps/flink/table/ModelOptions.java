package io.github.flinkps.flink.table;

import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.algorithm.ModelOption;
import io.github.flinkps.flink.algorithm.TrainingModels;
import io.github.flinkps.flink.data.FeatureHash;
import io.github.flinkps.flink.data.OnBadRow;
import io.github.flinkps.flink.options.OptionUse;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.server.update.UpdateFunctionFactory;
import io.github.flinkps.server.update.UpdateFunctions;
import io.github.flinkps.server.update.UpdateOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/**
 * The options of a model's table. Beside them there are those of its algorithm, {@code optimizer}
 * and the optimizer's own.
 */
public final class ModelOptions {
    /** Begins the name of the option that says how one column of numbers is scaled. */
    public static final String NUMERIC_PREFIX = "numeric.";

    private static final String OPTIMIZER = "optimizer";

    public static final ConfigOption<String> ALGORITHM =
            ConfigOptions.key("algorithm")
                    .stringType()
                    .defaultValue(LogisticRegression.NAME)
                    .withDescription("Algorithm that is trained.");

    public static final ConfigOption<String> LABEL =
            ConfigOptions.key("label")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "Column of the label, which the model learns to predict. Algorithms"
                                    + " that learn from rows alone need none.");

    public static final ConfigOption<List<String>> LABEL_VALUES =
            ConfigOptions.key("label-values")
                    .stringType()
                    .asList()
                    .noDefaultValue()
                    .withDescription(
                            "All texts or numbers of the label, separated by semicolons, the one"
                                    + " for label 0 first. SQL needs them for a label of text, and"
                                    + " for numbers that are not the labels themselves, such as"
                                    + " classes from 1 on.");

    public static final ConfigOption<String> WEIGHT =
            ConfigOptions.key("weight")
                    .stringType()
                    .noDefaultValue()
                    .withDescription("Column of the row's weight; without it rows weigh 1.");

    public static final ConfigOption<List<String>> CATEGORICAL =
            ConfigOptions.key("categorical")
                    .stringType()
                    .asList()
                    .defaultValues()
                    .withDescription(
                            "Columns of categories, which are names of something and no amounts,"
                                    + " separated by semicolons. In SQL columns of text, and users"
                                    + " and items of a factorization, are so anyway.");

    public static final ConfigOption<String> NUMERIC =
            ConfigOptions.key("numeric")
                    .stringType()
                    .defaultValue("log")
                    .withDescription(
                            "Scaling of numbers: log (sign(x) log(1 + |x|)), none, standard(mean,"
                                    + " deviation), log(mean, deviation) of the logarithms, or"
                                    + " bucket(b1, b2, ..). A bucket makes a"
                                    + " category of the interval that a number lies in."
                                    + " numeric.COLUMN sets the scaling of one column. Only an"
                                    + " INSERT with tune learns one from the data, before"
                                    + " training, so that rows mean the same to every worker, at"
                                    + " any time.");

    public static final ConfigOption<Integer> HASH_BITS =
            ConfigOptions.key("hash-bits")
                    .intType()
                    .defaultValue(64)
                    .withDescription(
                            "Bits of the keys of hashed features. Must be "
                                    + FeatureHash.BITS.text()
                                    + ".");

    public static final ConfigOption<OnBadRow> ON_BAD_ROW =
            ConfigOptions.key("on-bad-row")
                    .enumType(OnBadRow.class)
                    .defaultValue(OnBadRow.FAIL)
                    .withDescription(
                            "Treatment of a row that cannot be read, has no label, or a label or"
                                    + " number out of range: the job fails, or the row is"
                                    + " skipped and counted.");

    public static final ConfigOption<Boolean> TUNE =
            ConfigOptions.key("tune")
                    .booleanType()
                    .defaultValue(false)
                    .withDescription(
                            "Search for options by the rows of an INSERT, instead of training:"
                                    + " numeric.COLUMN, and for linear models with adagrad epochs,"
                                    + " batch-size, shuffle, initial-bias, learning-rate with its"
                                    + " schedule, and l2; for factorization machines and networks"
                                    + " these but initial-bias, in regression label-mean and"
                                    + " label-unit, and factor-l2 or init-std where they have it;"
                                    + " for matrix-factorization mean and"
                                    + " init-std too; each unless it is given. The catalog's"
                                    + " definition of the model gets them. For an input that ends,"
                                    + " and a model that was not trained yet.");

    public static final ConfigOption<List<String>> TUNED =
            ConfigOptions.key("tuned")
                    .stringType()
                    .asList()
                    .noDefaultValue()
                    .withDescription(
                            "Names of the options that an INSERT with tune has found. The next one"
                                    + " finds them anew.");

    /** The options about finding others. */
    static final List<ConfigOption<?>> OF_TUNING = List.of(TUNE, TUNED);

    /** The options that say what a row means. */
    static final List<ConfigOption<?>> OF_ROWS =
            List.of(
                    ALGORITHM,
                    LABEL,
                    LABEL_VALUES,
                    WEIGHT,
                    CATEGORICAL,
                    NUMERIC,
                    HASH_BITS,
                    ON_BAD_ROW);

    /** The options of the job that trains. */
    static final List<ConfigOption<?>> OF_JOBS = PsOptions.of(OptionUse.TABLE);

    private ModelOptions() {}

    /**
     * Returns every option that the table of some model takes, beside {@code numeric.COLUMN}.
     * Options of algorithms and optimizers are texts, which these read.
     */
    public static List<ConfigOption<?>> ofTables() {
        Map<String, ConfigOption<?>> all = new LinkedHashMap<>();
        OF_ROWS.forEach(option -> all.put(option.key(), option));
        for (String algorithm : TrainingModels.names()) {
            for (ModelOption option : TrainingModels.factory(algorithm).columnOptions()) {
                all.putIfAbsent(option.name(), text(option.name(), option.description()));
            }
        }
        all.put(
                OPTIMIZER,
                text(OPTIMIZER, "Optimizer, which changes parameters by their gradients."));
        for (UpdateFunctionFactory optimizer : UpdateFunctions.optimizers().values()) {
            for (UpdateOption option : UpdateFunctions.options(optimizer)) {
                all.putIfAbsent(option.name(), text(option.name(), option.description()));
            }
        }
        OF_JOBS.forEach(option -> all.put(option.key(), option));
        OF_TUNING.forEach(option -> all.put(option.key(), option));
        return List.copyOf(all.values());
    }

    private static ConfigOption<String> text(String key, String description) {
        return ConfigOptions.key(key).stringType().noDefaultValue().withDescription(description);
    }

    /** Returns the options that say what a row means, the algorithm among them. */
    public static List<ConfigOption<?>> ofRows() {
        return OF_ROWS;
    }
}
