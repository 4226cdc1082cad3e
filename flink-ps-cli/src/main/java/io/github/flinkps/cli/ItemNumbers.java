package io.github.flinkps.cli;

import io.github.flinkps.cli.job.RowsInput;
import io.github.flinkps.flink.algorithm.ModelOption;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.RowBatch;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds how items are numbered, so that a model draws from all of them alike, in training and where
 * it is measured.
 */
final class ItemNumbers {
    /** The most items that are looked at; more have no say. */
    private static final int MOST_ITEMS = 1 << 22;

    private final Set<Long> items = new HashSet<>();
    private long least = Long.MAX_VALUE;
    private long most = Long.MIN_VALUE;

    private ItemNumbers() {}

    /**
     * Returns the options that say how the items of rows are numbered; none where that is not so,
     * as that of hashes: fewer than half of the numbers between the least and the greatest are
     * items.
     *
     * @param inputs all rows, those that test too
     */
    static Map<String, String> find(TrainingModel model, List<RowsInput> inputs) {
        ItemNumbers numbers = new ItemNumbers();
        for (RowsInput input : inputs) {
            input.scan(model, numbers::see);
        }
        return numbers.options();
    }

    private boolean see(RowBatch rows) {
        for (int row = 0; row < rows.rows() && items.size() <= MOST_ITEMS; row++) {
            int item = rows.rowStart(row) + 1;
            if (item < rows.rowStart(row + 1)) { // what has no item is refused by the model
                long key = rows.keys()[item];
                items.add(key);
                least = Math.min(least, key);
                most = Math.max(most, key);
            }
        }
        return items.size() <= MOST_ITEMS;
    }

    private Map<String, String> options() {
        Map<String, String> options = new TreeMap<>();
        long span = most - least;
        if (items.size() > 1
                && items.size() <= MOST_ITEMS
                && least >= 0
                && span < 2L * items.size()) {
            options.put(ModelOption.ITEMS.name(), Long.toString(span + 1));
            options.put(ModelOption.FIRST_ITEM.name(), Long.toString(least));
        }
        return options;
    }
}
