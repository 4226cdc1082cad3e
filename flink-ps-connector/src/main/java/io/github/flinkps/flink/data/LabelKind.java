package io.github.flinkps.flink.data;

/** Which labels a model can learn, and how those of a file become them. */
public enum LabelKind {
    /** 0 and 1; a file may say -1 for 0. Anything else is out of range. */
    BINARY,
    /** Any finite number, as it is. */
    REAL;

    /** The label a model sees for one read, NaN when it is out of range. */
    public float map(float label) {
        if (this == REAL) {
            return Float.isFinite(label) ? label : Float.NaN;
        }
        if (label == 1f) {
            return 1f;
        }
        return label == 0f || label == -1f ? 0f : Float.NaN;
    }

    /** What labels may be, for messages. */
    public String range() {
        return this == REAL ? "a finite number" : "0, 1 or -1";
    }
}
