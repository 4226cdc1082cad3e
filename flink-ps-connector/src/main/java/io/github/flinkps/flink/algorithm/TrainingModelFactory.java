package io.github.flinkps.flink.algorithm;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes models of one name; found by {@link java.util.ServiceLoader}, so that a saved model can be
 * read and a model can be named on the command line. Stateless and thread-safe.
 */
public interface TrainingModelFactory {
    /** Returns the name by which a model is asked for. */
    String name();

    /** Returns a phrase that says what it is for, for documents and Python. */
    String description();

    /**
     * Returns the options of its own. Where {@link TrainingModel#options} of its models have {@code
     * optimizer}, a name, there are this and the optimizer's own options besides.
     */
    List<ModelOption> options();

    /**
     * Returns those of them that hold where rows are made of columns, which are hashed; the others
     * are of indices.
     */
    default List<ModelOption> columnOptions() {
        return options();
    }

    /** Returns the entries it expects in a row. */
    default RowShape rowShape() {
        return RowShape.ANY;
    }

    /** Returns whether it looks at labels. */
    default boolean learnsLabels() {
        return true;
    }

    /**
     * Returns how the defaults of a model follow from its rows; empty for one whose options are not
     * searched for so.
     *
     * @param given options of the model
     */
    default Optional<TuningRule> tuning(Map<String, String> given) {
        return Optional.empty();
    }

    /**
     * Returns a model of these options; those not given take their defaults.
     *
     * @throws IllegalArgumentException naming the option that is unknown or out of range
     */
    TrainingModel create(Map<String, String> options);
}
