package io.github.flinkps.flink.data;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The statistics of the columns of a share of an input. Belongs to one thread. */
final class ColumnScan {
    private final List<ColumnStatistics> numbers = new ArrayList<>();
    private final List<NumberMoments> logs = new ArrayList<>();
    private final TreeSet<String> labels = new TreeSet<>();
    private boolean textLabels;

    ColumnScan(int columns, long seed) {
        for (int i = 0; i < columns; i++) {
            numbers.add(new ColumnStatistics(seed * 31 + i));
            logs.add(new NumberMoments());
        }
    }

    void number(int column, double value) {
        numbers.get(column).add(value);
        logs.get(column).addLog(value);
    }

    /** Notes a label. Once one is no number, and their values are few, they are texts. */
    void label(String text) {
        if (labels.size() <= Labels.MOST_CLASSES) {
            labels.add(text);
        }
        textLabels |= !LabelNames.isNumber(text);
    }

    ColumnStatistics numbers(int column) {
        return numbers.get(column);
    }

    NumberMoments logs(int column) {
        return logs.get(column);
    }

    boolean hasTextLabels() {
        return textLabels;
    }

    Set<String> labels() {
        return labels;
    }
}
