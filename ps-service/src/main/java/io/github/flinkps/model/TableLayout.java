package io.github.flinkps.model;

import io.github.flinkps.codec.BatchLayout;
import io.github.flinkps.common.TableSpec;

/**
 * The layout of a table's rows in the files of a cut.
 *
 * @param spec its definition
 * @param slots the update function keeps beside each value
 * @param steps whether each row has the step it is up to date with: update functions that catch up
 */
public record TableLayout(TableSpec spec, int slots, boolean steps) {
    public TableLayout {
        if (slots < 0 || slots > BatchLayout.MAX_SLOTS) {
            throw new IllegalArgumentException(
                    "table '" + spec.name() + "' cannot have " + slots + " slots");
        }
    }

    public BatchLayout batches() {
        return BatchLayout.rows(spec.width(), slots, steps);
    }
}
