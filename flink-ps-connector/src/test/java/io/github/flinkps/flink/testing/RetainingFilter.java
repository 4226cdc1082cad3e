package io.github.flinkps.flink.testing;

import io.github.flinkps.client.PushFilter;

/**
 * Holds updates until the end, or for some mini-batches.
 *
 * @param every it lets all through once in so many mini-batches; 0: never
 */
public record RetainingFilter(int every) implements PushFilter {
    private static final long serialVersionUID = 1L;

    @Override
    public void filter(Rows rows) {
        if (every == 0 || rows.clock() % every > 0) {
            for (int row = 0; row < rows.count(); row++) {
                rows.retain(row);
            }
        }
    }
}
