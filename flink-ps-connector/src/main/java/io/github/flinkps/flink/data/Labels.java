package io.github.flinkps.flink.data;

import java.io.Serializable;
import java.util.List;

/**
 * The labels that a model can learn, and how those of a file become them.
 *
 * @param kind of label
 * @param classes number of classes, 0 for other kinds
 * @param names the texts that mean label 0, 1, .. in a file; empty where its labels are numbers
 *     that mean themselves
 */
public record Labels(Kind kind, int classes, List<List<String>> names) implements Serializable {
    /** 0 and 1; a file may say -1 for 0. */
    public static final Labels BINARY = new Labels(Kind.BINARY, 0, List.of());

    /** The number as it is, which may be any finite one. */
    public static final Labels REAL = new Labels(Kind.REAL, 0, List.of());

    /** The number as it is, which may be any finite one from 0 on. */
    public static final Labels COUNT = new Labels(Kind.COUNT, 0, List.of());

    /**
     * Whatever a file says, for rows that are only scored: as it is, and none where it is no finite
     * number.
     */
    public static final Labels ANY = new Labels(Kind.ANY, 0, List.of());

    /** Most classes. */
    public static final int MOST_CLASSES = 1 << 16;

    private static final long serialVersionUID = 1L;

    /** The meaning of a label. */
    public enum Kind {
        BINARY,
        REAL,
        COUNT,
        CLASS,
        ANY
    }

    public Labels {
        names = names.stream().map(List::copyOf).toList();
        new LabelNames(names); // refuses one that stands for two labels
        if (kind == Kind.CLASS ? classes < 2 || classes > MOST_CLASSES : classes != 0) {
            throw new IllegalArgumentException(
                    "classes must be between 2 and " + MOST_CLASSES + ", not " + classes);
        }
    }

    /**
     * Returns labels that are classes from 0 to {@code count - 1}. A file may count them from 1 on:
     * its class {@code count} is then class 0 here, written -0, so that {@link FirstClass} finds
     * files that do both.
     */
    public static Labels classes(int count) {
        return new Labels(Kind.CLASS, count, List.of());
    }

    /**
     * Returns the same labels under other names; {@link #ANY} has none.
     *
     * @throws IllegalArgumentException when one stands for two labels
     */
    public Labels named(List<List<String>> texts) {
        return kind == Kind.ANY ? this : new Labels(kind, classes, texts);
    }

    /** Returns how many of them a file may name by texts; 0 for numbers, which have none. */
    public int mostTexts() {
        return switch (kind) {
            case BINARY -> 2;
            case REAL, COUNT, ANY -> 0;
            case CLASS -> classes;
        };
    }

    /** Returns the label that a model sees for a number without a name, NaN when out of range. */
    public float map(float label) {
        return switch (kind) {
            case BINARY -> label == 1f ? 1f : label == 0f || label == -1f ? 0f : Float.NaN;
            case REAL, ANY -> Float.isFinite(label) ? label : Float.NaN;
            case COUNT -> label >= 0 && Float.isFinite(label) ? label : Float.NaN;
            case CLASS ->
                    label >= 0 && label < classes && label == (int) label
                            ? label + 0f
                            : label == classes ? -0f : Float.NaN;
        };
    }

    /** Returns what labels of a file may be, for messages. */
    public String range() {
        if (!names.isEmpty()) {
            return "one of " + LabelNames.show(names);
        }
        return switch (kind) {
            case BINARY -> "0, 1 or -1";
            case REAL, ANY -> "a finite number";
            case COUNT -> "a finite number from 0 on";
            case CLASS -> "a class from 0 to " + (classes - 1) + ", or from 1 to " + classes;
        };
    }
}
