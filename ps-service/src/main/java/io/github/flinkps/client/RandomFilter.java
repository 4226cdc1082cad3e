package io.github.flinkps.client;

import io.github.flinkps.common.KeyHash;

/**
 * Sends, of the rows that a mini-batch touches, a share that is drawn, and retains the others
 * (random-k: Stich, Cordonnier and Jaggi, NeurIPS 2018; the random skip filter: Li et al.: Scaling
 * distributed machine learning with the parameter server, OSDI 2014). Each row is drawn on its own,
 * by a hash of its key and the worker's clock.
 *
 * @param share above 0 and at most 1
 */
public record RandomFilter(double share) implements PushFilter {
    private static final long serialVersionUID = 1L;
    private static final KeyHash HASH = KeyHash.of(Long.SIZE);

    public RandomFilter {
        LongestFilter.checkShare(share);
    }

    @Override
    public void filter(Rows rows) {
        long draw = HASH.hash(rows.clock() + 1);
        double limit = share * 0x1p53;
        for (int row = 0; row < rows.count(); row++) {
            if (HASH.hash(rows.key(row) ^ draw) >>> 11 >= limit) {
                rows.retain(row);
            }
        }
    }
}
