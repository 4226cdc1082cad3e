package io.github.flinkps.flink.algorithm;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.metrics.BinaryMetrics;
import io.github.flinkps.flink.metrics.ClassMetrics;
import io.github.flinkps.flink.metrics.Evaluation;
import io.github.flinkps.flink.metrics.RegressionMetrics;
import java.io.Serializable;
import java.util.List;
import java.util.Map;

/**
 * A model that can be trained over parameter tables: which tables it has, which of their keys a
 * mini-batch touches, and its loss and gradients given their rows. The worker does the rest: pulls,
 * pushes, clocks, retries.
 *
 * <p>An instance belongs to one thread (each task gets a copy by Java serialization). It must be a
 * pure function of what it is given: the same rows give the same keys in the same order, the same
 * rows and parameters the same gradients. A mini-batch is the rows {@code [from, to)} of a batch;
 * the interface is called once per mini-batch, so that a model can work without allocating per row.
 */
public interface TrainingModel extends Serializable {
    /**
     * Returns the name of its {@link TrainingModelFactory}, such as {@code logistic-regression}.
     */
    String name();

    /**
     * Returns what {@link TrainingModelFactory#create} needs to make this model again, by
     * hyphenated name. Written into the definition of a saved model; must not depend on the order
     * or time of calls.
     */
    Map<String, String> options();

    /**
     * Returns the tables, always the same; a table's index in the list is its number below. Names
     * are unique.
     */
    List<TableSpec> tables();

    /** Returns the labels it learns. */
    Labels labels();

    /** Returns the number of scores that {@link #score} writes per row. */
    default int scoresPerRow() {
        return labels().kind() == Labels.Kind.CLASS ? labels().classes() : 1;
    }

    /**
     * Returns the options by which the values of its tables are read, beside the tables' shapes: to
     * a model of other such values they mean something else.
     */
    default Map<String, String> interpretation() {
        return Map.of();
    }

    /** Returns what measures its scores, new; by the kind of its labels unless overridden. */
    default Evaluation evaluation() {
        return switch (labels().kind()) {
            case BINARY -> new BinaryMetrics();
            case CLASS -> new ClassMetrics(labels().classes());
            case REAL, COUNT, ANY -> new RegressionMetrics();
        };
    }

    /** Returns what its loss is called, for people. */
    default String lossName() {
        return switch (labels().kind()) {
            case BINARY, CLASS -> "logloss";
            case REAL, COUNT, ANY -> "loss";
        };
    }

    /**
     * Returns whether {@link #touch} draws keys at random, by {@link KeyCollector#seed}, so that a
     * mini-batch touches other keys in each pass.
     */
    default boolean samples() {
        return false;
    }

    /**
     * Returns whether the mini-batches of a job that does not set their size may grow with the rows
     * seen: where later steps over many rows learn as much as small ones do. They stay as they are
     * unless overridden.
     */
    default boolean batchesMayGrow() {
        return false;
    }

    /**
     * Says which keys of which tables the rows {@code [from, to)} touch, whether to train or to
     * score them.
     *
     * @throws IllegalArgumentException naming the key that lies outside its table
     */
    void touch(RowBatch rows, int from, int to, KeyCollector keys);

    /**
     * Adds up the gradients of the loss, without regularisation, over the rows {@code [from, to)}:
     * per key their sum, each row times its weight.
     *
     * @return the sum of the rows' losses, each times its weight
     */
    double gradients(RowBatch rows, int from, int to, Parameters parameters, Gradients gradients);

    /**
     * Predicts the rows {@code [from, to)}: writes {@link #scoresPerRow} scores for each, row by
     * row, from {@code scores[at]} on. For a binary model a score is the probability of label 1,
     * for one of classes there is a probability for each.
     */
    void score(RowBatch rows, int from, int to, Parameters parameters, float[] scores, int at);
}
