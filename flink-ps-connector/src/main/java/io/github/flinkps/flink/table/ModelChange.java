package io.github.flinkps.flink.table;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.algorithm.TrainingModels;
import io.github.flinkps.flink.data.RowRecipe;
import io.github.flinkps.flink.data.TableRecipe;
import io.github.flinkps.flink.service.ArrowModelArchive;
import io.github.flinkps.model.ModelHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.types.logical.LogicalType;

/**
 * Checks what is changed of the definition of a model that was trained: all may change that leaves
 * what was learned its meaning. Jobs' options, learning rates and the like may change; and where
 * features are hashed or keys of their own, columns may come and go.
 */
public final class ModelChange {
    private static final String SHAPE = "what gives the model's tables their shape";

    private ModelChange() {}

    /**
     * Checks a change.
     *
     * @param name of the model, for messages
     * @throws ValidationException if the newest version would mean something else after it
     */
    public static void check(String name, ModelDefinition old, ModelSpec after) {
        changed(name, old, after)
                .ifPresent(
                        what -> {
                            throw refused(name, what);
                        });
    }

    /**
     * Returns what was changed since a model was saved, so that what was learned would mean
     * something else; empty if nothing was.
     */
    static Optional<String> since(String name, ModelHeader saved, ModelSpec now) {
        if (!saved.algorithm().equals(now.model().name())) {
            return Optional.of("the algorithm, " + saved.algorithm() + " then,");
        }
        if (!saved.input().isEmpty()
                && RowRecipe.fromJson(saved.input()) instanceof TableRecipe trained) {
            return changed(name, ModelDefinition.of(trained), now);
        }
        TrainingModel then = TrainingModels.create(saved.algorithm(), saved.parameters());
        return sameTables(saved.tables(), now.model().tables())
                ? changedInterpretation(then, now.model())
                : Optional.of(SHAPE);
    }

    /** Returns an option by which a model reads its values in another way than one before. */
    public static Optional<String> changedInterpretation(
            TrainingModel before, TrainingModel after) {
        Map<String, String> now = after.interpretation();
        return before.interpretation().entrySet().stream()
                .filter(option -> !option.getValue().equals(now.get(option.getKey())))
                .map(option -> "option '" + option.getKey() + "', " + option.getValue() + " then,")
                .findFirst();
    }

    private static Optional<String> changed(String name, ModelDefinition old, ModelSpec after) {
        ModelSpec before = ModelSpec.of(name, old);
        return changedOption(old, after.definition())
                .or(() -> changedFeature(before, after))
                .or(
                        () ->
                                sameTables(before.model().tables(), after.model().tables())
                                        ? changedInterpretation(before.model(), after.model())
                                        : Optional.of(SHAPE));
    }

    private static Optional<String> changedOption(ModelDefinition before, ModelDefinition after) {
        for (ConfigOption<?> option : ModelOptions.OF_ROWS) {
            if (!option.equals(ModelOptions.ON_BAD_ROW)
                    && !Objects.equals(value(before, option), value(after, option))) {
                return Optional.of("option '" + option.key() + "'");
            }
        }
        List<String> old = ModelSpec.names(before.columns());
        for (String column : ModelSpec.names(after.columns())) {
            String key = ModelOptions.NUMERIC_PREFIX + column;
            if (old.contains(column)
                    && !Objects.equals(before.options().get(key), after.options().get(key))) {
                return Optional.of("option '" + key + "'");
            }
        }
        return Optional.empty();
    }

    private static <T> T value(ModelDefinition definition, ConfigOption<T> option) {
        return Configuration.fromMap(definition.options()).get(option);
    }

    private static Optional<String> changedFeature(ModelSpec before, ModelSpec after) {
        Map<String, LogicalType> old = before.featureTypes();
        Map<String, LogicalType> now = after.featureTypes();
        for (Map.Entry<String, LogicalType> feature : now.entrySet()) {
            LogicalType type = old.get(feature.getKey());
            if (type != null && !type.equals(feature.getValue())) {
                return Optional.of("the type of feature '" + feature.getKey() + "'");
            }
        }
        if (!before.takesAnyFeatures()
                && !new ArrayList<>(old.keySet()).equals(new ArrayList<>(now.keySet()))) {
            return Optional.of(
                    "the features of a model that has a place for each, " + old.keySet() + ",");
        }
        return Optional.empty();
    }

    /**
     * Checks that a column keeps its name: what was learned of a feature is under it.
     *
     * @throws ValidationException if it is a feature
     */
    public static void checkRename(String name, ModelSpec before, String column) {
        if (before.featureTypes().containsKey(column)) {
            throw refused(name, "the name of feature '" + column + "'");
        }
    }

    /** Returns whether rows of the one model are rows of the other. */
    public static boolean sameTables(List<TableSpec> before, List<TableSpec> after) {
        boolean same = before.size() == after.size();
        for (int i = 0; same && i < before.size(); i++) {
            same =
                    before.get(i).name().equals(after.get(i).name())
                            && ArrowModelArchive.sameShape(before.get(i), after.get(i));
        }
        return same;
    }

    private static ValidationException refused(String name, String what) {
        return new ValidationException(
                "model "
                        + name
                        + ": "
                        + what
                        + " cannot be changed, as what was learned would lose its meaning: CALL"
                        + " sys.reset_model('"
                        + name
                        + "') to begin anew with it, or CREATE another model LIKE this one");
    }
}
