package io.github.flinkps.flink.data;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What is learned of the columns of a share of an input. Belongs to one thread. */
final class ColumnScan {
    private final List<ColumnStatistics> numbers = new ArrayList<>();
    private final TreeSet<String> labels = new TreeSet<>();
    private boolean textLabels;

    ColumnScan(int columns, long seed) {
        for (int i = 0; i < columns; i++) {
            numbers.add(new ColumnStatistics(seed * 31 + i));
        }
    }

    void number(int column, double value) {
        numbers.get(column).add(value);
    }

    /**
     * Notes a label. Most labels are numbers; once one is not, and their values are few, they are
     * texts.
     */
    void label(String text) {
        if (labels.size() <= Labels.MOST_CLASSES) {
            labels.add(text);
        }
        textLabels |= !isNumber(text);
    }

    private static boolean isNumber(String text) {
        FloatScanner scanner = new FloatScanner();
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        scanner.scan(bytes, 0, bytes.length);
        return bytes.length > 0 && scanner.end() == bytes.length;
    }

    ColumnStatistics numbers(int column) {
        return numbers.get(column);
    }

    boolean hasTextLabels() {
        return textLabels;
    }

    Set<String> labels() {
        return labels;
    }
}
