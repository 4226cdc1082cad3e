package io.github.flinkps.flink.table.function;

import org.apache.flink.table.catalog.DataTypeFactory;
import org.apache.flink.table.types.DataType;

/** A measure that follows from the weighted mean of a term of each row, at least 0. */
public abstract class MeanFunction extends MetricFunction<MeanAccumulator> {
    private static final long serialVersionUID = 1L;

    MeanFunction(MetricArguments arguments) {
        super(arguments);
    }

    /** Returns the term of a row; a row is refused where it is too large for its weight. */
    protected abstract double term(Object score, Object label);

    @Override
    protected final DataType accumulatorType(DataTypeFactory types) {
        return types.createDataType(MeanAccumulator.class);
    }

    @Override
    public final MeanAccumulator createAccumulator() {
        return new MeanAccumulator();
    }

    @Override
    protected final void add(
            MeanAccumulator kept, Object score, Object label, double last, int times) {
        double weight = weight(last);
        double term = term(score, label);
        if (!Double.isFinite(weight * term)) {
            throw refused("weighted error", "finite", weight * term);
        }
        kept.add(term, weight, times);
    }

    @Override
    protected final void addAll(MeanAccumulator kept, MeanAccumulator other) {
        kept.add(other);
    }

    @Override
    public Double getValue(MeanAccumulator kept) {
        return kept.mean();
    }
}
