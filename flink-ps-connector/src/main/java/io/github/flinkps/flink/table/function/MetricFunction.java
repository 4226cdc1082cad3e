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
 * type unless the function says otherwise. Rows with a NULL argument do not count. NULL where there
 * is nothing to measure.
 *
 * @param <A> what is kept of the rows
 */
public abstract class MetricFunction<A> extends AggregateFunction<Double, A> {
    private static final long serialVersionUID = 1L;

    private final MetricArguments arguments;

    MetricFunction(MetricArguments arguments) {
        this.arguments = arguments;
    }

    /** Returns the type of what is kept. */
    protected abstract DataType accumulatorType(DataTypeFactory types);

    /**
     * Adds a row, none of whose arguments is NULL.
     *
     * @param score of the row, as its type is cast
     * @param label of the row, as its type is cast
     * @param last the third argument, 1 where none is given
     * @param times -1 where the row is taken again, else 1
     */
    protected abstract void add(A kept, Object score, Object label, double last, int times)
            throws Exception;

    /** Adds all that another accumulator holds, which stays as it is. */
    protected abstract void addAll(A kept, A other) throws Exception;

    /** Adds a row of weight 1. Called by Flink. */
    public final void accumulate(A kept, Object score, Object label) throws Exception {
        count(kept, score, label, 1.0, 1);
    }

    /** Adds a row with a third argument. Called by Flink. */
    public final void accumulate(A kept, Object score, Object label, Double last) throws Exception {
        count(kept, score, label, last, 1);
    }

    /** Takes a row of weight 1 away again. Called by Flink. */
    public final void retract(A kept, Object score, Object label) throws Exception {
        count(kept, score, label, 1.0, -1);
    }

    /** Takes a row with a third argument away again. Called by Flink. */
    public final void retract(A kept, Object score, Object label, Double last) throws Exception {
        count(kept, score, label, last, -1);
    }

    /** Adds all that other accumulators hold. Called by Flink. */
    public final void merge(A kept, Iterable<A> others) throws Exception {
        for (A other : others) {
            addAll(kept, other);
        }
    }

    private void count(A kept, Object score, Object label, Double last, int times)
            throws Exception {
        if (score != null && label != null && last != null) {
            add(kept, score, label, last, times);
        }
    }

    /** Returns the score as a number; a row without one is refused. */
    protected final double score(Object score) {
        return number(arguments.first().name(), score);
    }

    /** Returns the label as a number, 1 and 0 for TRUE and FALSE; a row without is refused. */
    protected final double label(Object label) {
        return number(arguments.label().name(), label);
    }

    private double number(String argument, Object value) {
        double number = value instanceof Boolean is ? (is ? 1 : 0) : (Double) value;
        if (Double.isNaN(number)) {
            throw refused(argument, "a number", number);
        }
        return number;
    }

    /** Returns the label as a class; a row with another one is refused. */
    protected final boolean positive(Object label) {
        double number = label(label);
        if (number != 1 && number != 0 && number != -1) {
            throw refused("label", Labels.BINARY.range(), number);
        }
        return number == 1;
    }

    /** Returns a weight; a row with another one is refused. */
    protected final double weight(double weight) {
        if (!(weight >= 0 && weight <= Double.MAX_VALUE)) {
            throw refused(MetricArguments.WEIGHT, "a finite number from 0 on", weight);
        }
        return weight;
    }

    /**
     * Returns what a row fails with.
     *
     * @param argument what is wrong with it
     * @param must what that must be
     * @param is what it is
     */
    protected final IllegalArgumentException refused(String argument, String must, Object is) {
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
