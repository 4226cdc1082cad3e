package io.github.flinkps.flink.table.function;

import io.github.flinkps.flink.metrics.TopRanks;
import org.apache.flink.table.catalog.DataTypeFactory;
import org.apache.flink.table.types.DataType;

/**
 * A measure of the first places of a ranking, {@code NAME(score, label, k)}: rows are ranked by
 * score, those of label 1 are right, and the first k are looked at. Keeps an entry for each
 * different score, and sorts them for each result.
 */
public abstract class RankFunction extends MetricFunction<RankAccumulator> {
    private static final long serialVersionUID = 1L;

    private static final String PLACES = "k";

    RankFunction(String name) {
        super(
                new MetricArguments(
                        name,
                        new MetricArguments.Argument("score", MetricArguments.Kind.NUMBER, false),
                        new MetricArguments.Argument("label", MetricArguments.Kind.TRUTH, false),
                        new MetricArguments.Argument(PLACES, MetricArguments.Kind.NUMBER, false)));
    }

    /** Returns the measure of a ranking in which a row is right. */
    protected abstract double of(TopRanks top);

    @Override
    protected final DataType accumulatorType(DataTypeFactory types) {
        return RankAccumulator.dataType(types);
    }

    @Override
    public final RankAccumulator createAccumulator() {
        return new RankAccumulator();
    }

    @Override
    protected final void add(
            RankAccumulator kept, Object score, Object label, double last, int times)
            throws Exception {
        int places = (int) last;
        if (places != last || places < 1) {
            throw refused(PLACES, "a whole number from 1 on", last);
        }
        look(kept, places);
        kept.add(score(score), positive(label), 1, times);
    }

    private void look(RankAccumulator kept, int places) {
        if (kept.places != 0 && kept.places != places) {
            throw refused(PLACES, "the same in all rows, such as " + kept.places, places);
        }
        kept.places = places;
    }

    @Override
    protected final void addAll(RankAccumulator kept, RankAccumulator other) throws Exception {
        if (other.places != 0) {
            look(kept, other.places);
            kept.add(other);
        }
    }

    @Override
    public final Double getValue(RankAccumulator kept) {
        try {
            TopRanks top = kept.top();
            return top == null ? null : of(top);
        } catch (Exception e) {
            throw new IllegalStateException("the scores of a ranking cannot be read", e);
        }
    }
}
