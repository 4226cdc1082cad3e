package io.github.flinkps.flink.data;

import java.io.Serializable;

/**
 * Watches labels of classes, as {@link Labels#map} gives them, for some that count classes from 0
 * on among others that count them from 1 on: a class 0 and a last class that became class 0.
 * Belongs to one thread.
 */
public final class FirstClass implements Serializable {
    private static final long serialVersionUID = 1L;

    private final int classes;
    private boolean zero;
    private boolean last;

    public FirstClass(int classes) {
        this.classes = classes;
    }

    /**
     * Takes the label of one more row.
     *
     * @throws IllegalArgumentException once there have been both
     */
    public void add(float label) {
        if (label == 0) {
            boolean positive = Float.floatToRawIntBits(label) == 0;
            zero |= positive;
            last |= !positive;
            if (zero && last) {
                throw new IllegalArgumentException(
                        "there are rows of label 0 and rows of label "
                                + classes
                                + ", which are "
                                + (classes + 1)
                                + " classes: --classes "
                                + classes
                                + " takes labels 0 to "
                                + (classes - 1)
                                + " or 1 to "
                                + classes);
            }
        }
    }
}
