package io.github.flinkps.flink.options;

import io.github.flinkps.client.LongestFilter;
import io.github.flinkps.client.PushFilter;
import io.github.flinkps.client.RandomFilter;

/** The rows of a mini-batch that are pushed where a share of them is. */
public enum PushChoice {
    /** The rows whose gradients are longest. */
    LONGEST,

    /** Rows that are drawn. */
    RANDOM;

    /** Returns the filter that pushes a share of the rows. */
    public PushFilter filter(double share) {
        return this == LONGEST ? new LongestFilter(share) : new RandomFilter(share);
    }
}
