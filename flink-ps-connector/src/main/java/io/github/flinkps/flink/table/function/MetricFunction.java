package io.github.flinkps.flink.table.function;

import io.github.flinkps.flink.data.Labels;
import java.util.Optional;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.catalog.DataTypeFactory;
import org.apache.flink.table.functions.AggregateFunction;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.inference.TypeInference;

/**
 * A measure of predictions: {@code NAME(score, label [, weight])}, where a score is any numeric
 * type. Rows with a NULL argument do not count. NULL where there is nothing to measure.
 *
 * @param <A> what is kept of the rows
 */
public abstract class MetricFunction<A> extends AggregateFunction<Double, A> {
    private static final long serialVersionUID = 1L;

    private final MetricArguments arguments;

    /**
     * @param name of the function
     * @param score name of its first argument
     * @param truths whether labels may be BOOLEAN
     */
    protected MetricFunction(String name, String score, boolean truths) {
        this.arguments = new MetricArguments(name, score, truths);
    }

    /** Returns the type of what is kept. */
    protected abstract DataType accumulatorType(DataTypeFactory types);

    /**
     * Adds a row, whose arguments are numbers, and whose weight is finite and at least 0.
     *
     * @param label 1 and 0 for TRUE and FALSE
     * @param times -1 where the row is taken again, else 1
     */
    protected abstract void add(A kept, double score, double label, double weight, int times)
            throws Exception;

    /** Adds all that another accumulator holds, which stays as it is. */
    protected abstract void addAll(A kept, A other) throws Exception;

    /** Adds a row of weight 1. Called by Flink. */
    public final void accumulate(A kept, Double score, Object label) throws Exception {
        count(kept, score, label, 1.0, 1);
    }

    /** Adds a row with a weight. Called by Flink. */
    public final void accumulate(A kept, Double score, Object label, Double weight)
            throws Exception {
        count(kept, score, label, weight, 1);
    }

    /** Takes a row of weight 1 away again. Called by Flink. */
    public final void retract(A kept, Double score, Object label) throws Exception {
        count(kept, score, label, 1.0, -1);
    }

    /** Takes a row with a weight away again. Called by Flink. */
    public final void retract(A kept, Double score, Object label, Double weight) throws Exception {
        count(kept, score, label, weight, -1);
    }

    /** Adds all that other accumulators hold. Called by Flink. */
    public final void merge(A kept, Iterable<A> others) throws Exception {
        for (A other : others) {
            addAll(kept, other);
        }
    }

    private void count(A kept, Double score, Object label, Double weight, int times)
            throws Exception {
        if (score == null || label == null || weight == null) {
            return;
        }
        double truth = label instanceof Boolean is ? (is ? 1 : 0) : (Double) label;
        if (score.isNaN()) {
            throw refused(arguments.score(), "a number", score);
        }
        if (Double.isNaN(truth)) {
            throw refused("label", "a number", truth);
        }
        if (!(weight >= 0 && weight <= Double.MAX_VALUE)) {
            throw refused("weight", "a finite number from 0 on", weight);
        }
        add(kept, score, truth, weight, times);
    }

    /** Returns the label as a class. */
    protected final boolean positive(double label) {
        if (label != 1 && label != 0 && label != -1) {
            throw refused("label", Labels.BINARY.range(), label);
        }
        return label == 1;
    }

    /**
     * Returns what a row fails with.
     *
     * @param argument what is wrong with it
     * @param must what that must be
     * @param is what it is
     */
    protected final IllegalArgumentException refused(String argument, String must, double is) {
        return new IllegalArgumentException(
                arguments.function()
                        + ": "
                        + argument
                        + " must be "
                        + must
                        + ", but a row has "
                        + is);
    }

    @Override
    public final TypeInference getTypeInference(DataTypeFactory types) {
        return TypeInference.newBuilder()
                .inputTypeStrategy(arguments)
                .accumulatorTypeStrategy(call -> Optional.of(accumulatorType(types)))
                .outputTypeStrategy(call -> Optional.of(DataTypes.DOUBLE()))
                .build();
    }
}
