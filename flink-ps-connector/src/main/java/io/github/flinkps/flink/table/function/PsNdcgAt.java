package io.github.flinkps.flink.table.function;

import io.github.flinkps.flink.metrics.TopRanks;

/**
 * {@code PS_NDCG_AT(score, label, k)}: the discounted gain of the first k places, divided by the
 * most that it could be.
 */
public final class PsNdcgAt extends RankFunction {
    /** The name in SQL. */
    public static final String NAME = "PS_NDCG_AT";

    private static final long serialVersionUID = 1L;

    public PsNdcgAt() {
        super(NAME);
    }

    @Override
    protected double of(TopRanks top) {
        return top.ndcg();
    }
}
