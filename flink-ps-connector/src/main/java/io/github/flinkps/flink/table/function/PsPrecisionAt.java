package io.github.flinkps.flink.table.function;

import io.github.flinkps.flink.metrics.TopRanks;

/** {@code PS_PRECISION_AT(score, label, k)}: the share of the first k places that are right. */
public final class PsPrecisionAt extends RankFunction {
    /** The name in SQL. */
    public static final String NAME = "PS_PRECISION_AT";

    private static final long serialVersionUID = 1L;

    public PsPrecisionAt() {
        super(NAME);
    }

    @Override
    protected double of(TopRanks top) {
        return top.precision();
    }
}
