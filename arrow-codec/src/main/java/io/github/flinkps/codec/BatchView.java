package io.github.flinkps.codec;

/**
 * The places of a batch's columns in the frame it was read from. Every offset is absolute in that
 * buffer and was checked to hold its column. Nothing was copied, so the view is good as long as the
 * frame is.
 */
public final class BatchView {
    private static final int[] NO_SLOTS = {};

    private final int rows;
    private final int byteLength;
    private final int keyOffset;
    private final int keyBytes;
    private final int valueOffset;
    private final int[] slotOffsets;
    private final int stepOffset;
    private int scaleOffset = -1;

    BatchView(
            int rows,
            int byteLength,
            int keyOffset,
            int keyBytes,
            int valueOffset,
            int[] slotOffsets,
            int stepOffset) {
        this.rows = rows;
        this.byteLength = byteLength;
        this.keyOffset = keyOffset;
        this.keyBytes = keyBytes;
        this.valueOffset = valueOffset;
        this.slotOffsets = slotOffsets;
        this.stepOffset = stepOffset;
    }

    /** Sets where the units of blocks are, once. */
    BatchView withScales(int offset) {
        scaleOffset = offset;
        return this;
    }

    static int[] slots(int count) {
        return count == 0 ? NO_SLOTS : new int[count];
    }

    /** Returns the number of rows; 1 for {@link BatchLayout#encodedKeys}. */
    public int rows() {
        return rows;
    }

    /** Returns the bytes of the whole message, from its prefix to the end of its body. */
    public int byteLength() {
        return byteLength;
    }

    /** Returns the offset of the first byte of the keys, raw or encoded; -1 without keys. */
    public int keyOffset() {
        return keyOffset;
    }

    /** Returns the bytes of the keys: 8 a row, or the length of the encoded ones. */
    public int keyBytes() {
        return keyBytes;
    }

    /** Returns the offset of the first byte of the values; -1 without values. */
    public int valueOffset() {
        return valueOffset;
    }

    /** Returns the number of slot columns. */
    public int slots() {
        return slotOffsets.length;
    }

    /** Returns the offset of the first byte of a slot's column. */
    public int slotOffset(int slot) {
        return slotOffsets[slot];
    }

    /** Returns the offset of the first byte of the rows' last steps; -1 without. */
    public int stepOffset() {
        return stepOffset;
    }

    /** Returns the offset of the first byte of the units of blocks; -1 without. */
    int scaleOffset() {
        return scaleOffset;
    }

    @Override
    public String toString() {
        return "BatchView[rows="
                + rows
                + ", bytes="
                + byteLength
                + ", keys@"
                + keyOffset
                + "+"
                + keyBytes
                + ", values@"
                + valueOffset
                + ", slots="
                + slotOffsets.length
                + "]";
    }
}
