package io.github.flinkps.codec;

import io.github.flinkps.codec.CodecException.Reason;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The fixed shape of one kind of record batch, as an encapsulated Arrow IPC message: prefix and
 * metadata, then the columns, each at a multiple of 64 bytes from the batch's start. A frame that
 * puts the batch at such a multiple therefore has every column aligned.
 *
 * <p>To write: reserve {@link #encodedSize}, call {@link #writeMetadata}, fill the columns at
 * {@link #columnOffset}. To read: {@link #read} checks the message and says where the columns lie.
 * Nothing is copied and nothing allocated but the view. Nulls and compression are refused.
 * Immutable, thread-safe, one instance per kind, width and number of slots.
 *
 * <p>The size of a batch is its number of rows, for {@link #encodedKeys} the number of encoded
 * bytes (its one row's length).
 */
public final class BatchLayout {
    /** Most values per row. */
    public static final int MAX_WIDTH = 1 << 16;

    /** Most slot columns. */
    public static final int MAX_SLOTS = 16;

    /** Name of the column of raw keys. */
    public static final String KEY = "key";

    /** Name of the column of values. */
    public static final String VALUE = "value";

    /** Name of the column of encoded keys. */
    public static final String ENCODED_KEYS = "keys";

    /** Name of slot i's column, without the i. */
    public static final String SLOT_PREFIX = "slot_";

    /** Name of the column of the blocks' units. */
    public static final String SCALE = "scale";

    /** Name of the column of last steps. */
    public static final String STEP = "step";

    private static final Map<Shape, BatchLayout> LAYOUTS = new ConcurrentHashMap<>();
    private static final BatchLayout KEYS = new BatchLayout(Shape.ofKeys(true));
    private static final BatchLayout ENCODED = new BatchLayout(Shape.ofKeys(false));

    /** The properties by which layouts differ; width 0 means no values. */
    private record Shape(
            boolean keys,
            boolean encodedKeys,
            int width,
            Column.Kind values,
            int slots,
            boolean steps) {
        static Shape ofKeys(boolean raw) {
            return new Shape(raw, !raw, 0, Column.Kind.VALUE, 0, false);
        }

        /** Returns whether there is a column of units. */
        boolean scales() {
            return values == Column.Kind.INT8;
        }
    }

    private final Shape shape;
    private final List<Column> columns;
    private final BatchTemplate template;
    private final byte[] schema;

    private BatchLayout(Shape shape) {
        this.shape = shape;
        this.columns = columns(shape);
        this.template = new BatchTemplate(columns);
        this.schema = ArrowMetadata.schemaMessage(columns, shape.width, 0);
    }

    private static List<Column> columns(Shape shape) {
        List<Column> columns = new ArrayList<>();
        if (shape.keys) {
            columns.add(new Column(KEY, Column.Kind.KEY));
        }
        if (shape.encodedKeys) {
            columns.add(new Column(ENCODED_KEYS, Column.Kind.BYTES));
        }
        if (shape.width > 0) {
            columns.add(new Column(VALUE, shape.values));
        }
        for (int i = 0; i < shape.slots; i++) {
            columns.add(new Column(SLOT_PREFIX + i, Column.Kind.VALUE));
        }
        if (shape.scales()) {
            columns.add(new Column(SCALE, Column.Kind.SCALE));
        }
        if (shape.steps) {
            columns.add(new Column(STEP, Column.Kind.STEP));
        }
        return List.copyOf(columns);
    }

    /** Returns the layout {@code {key: int64}}. */
    public static BatchLayout keys() {
        return KEYS;
    }

    /** Returns the layout {@code {value: fixed_size_list<float32>[width]}}, also for width 1. */
    public static BatchLayout values(int width) {
        return values(width, Column.Kind.VALUE);
    }

    /** Returns the layout of values that travel as items of another kind. */
    static BatchLayout values(int width, Column.Kind kind) {
        return of(new Shape(false, false, checkWidth(width), kind, 0, false));
    }

    /** Returns the layout {@code {key: int64, value: fixed_size_list<float32>[width]}}. */
    public static BatchLayout keysAndValues(int width) {
        return rows(width, 0);
    }

    /**
     * Returns the layout {@code {key, value, slot_0, ..}}: rows as they are stored; slots are as
     * wide as the value.
     */
    public static BatchLayout rows(int width, int slots) {
        return rows(width, slots, false);
    }

    /**
     * Returns the layout of rows. With {@code steps} a column {@code {step: int32}} more, of the
     * step each row is up to date with, modulo 2^32.
     */
    public static BatchLayout rows(int width, int slots, boolean steps) {
        if (slots < 0 || slots > MAX_SLOTS) {
            throw new IllegalArgumentException(
                    "slots must be between 0 and " + MAX_SLOTS + ", not " + slots);
        }
        return of(new Shape(true, false, checkWidth(width), Column.Kind.VALUE, slots, steps));
    }

    /**
     * Returns the layout {@code {keys: binary}} with one row that holds delta-coded keys, see
     * {@link DeltaKeys}.
     */
    public static BatchLayout encodedKeys() {
        return ENCODED;
    }

    private static BatchLayout of(Shape shape) {
        BatchLayout layout = LAYOUTS.get(shape);
        return layout != null ? layout : LAYOUTS.computeIfAbsent(shape, BatchLayout::new);
    }

    private static int checkWidth(int width) {
        if (width < 1 || width > MAX_WIDTH) {
            throw new IllegalArgumentException(
                    "width must be between 1 and " + MAX_WIDTH + ", not " + width);
        }
        return width;
    }

    /** Returns the values per row; 0 without values. */
    public int width() {
        return shape.width;
    }

    /** Returns the number of slot columns. */
    public int slotCount() {
        return shape.slots;
    }

    /** Returns whether there is a column of last steps. */
    public boolean hasSteps() {
        return shape.steps;
    }

    /** Returns the number of columns; keys come first, then values, then slots, then steps. */
    public int columnCount() {
        return columns.size();
    }

    List<Column> columns() {
        return columns;
    }

    BatchTemplate template() {
        return template;
    }

    /**
     * Returns the bytes of the whole message, a multiple of 64.
     *
     * @throws CodecException TOO_LARGE if no buffer can hold it
     */
    public int encodedSize(long rows) {
        long size = template.size() + bodySize(checkRows(rows));
        if (size > Integer.MAX_VALUE) {
            throw tooLarge(rows);
        }
        return (int) size;
    }

    private int checkRows(long rows) {
        if (rows < 0) {
            throw new CodecException(Reason.BAD_LENGTH, rows + " rows");
        }
        if (rows > Integer.MAX_VALUE) {
            throw tooLarge(rows);
        }
        return (int) rows;
    }

    private CodecException tooLarge(long rows) {
        return new CodecException(
                Reason.TOO_LARGE,
                rows + " rows of width " + shape.width + " are too large a batch");
    }

    private long bodySize(int rows) {
        return dataOffset(columns.size(), rows);
    }

    /**
     * Returns where a column's data begins in the body; for the column after the last the body's
     * length.
     */
    private long dataOffset(int column, int rows) {
        if (shape.encodedKeys) {
            return column == 0
                    ? ArrowMetadata.BYTES_DATA_OFFSET
                    : ArrowMetadata.BYTES_DATA_OFFSET + ArrowMetadata.align(rows);
        }
        long offset = 0;
        for (int i = 0; i < column; i++) {
            offset += ArrowMetadata.align(columnBytes(i, rows));
        }
        return offset;
    }

    /**
     * Returns the bytes of prefix and metadata, a multiple of 64, so that the body is as aligned as
     * the batch's start.
     */
    public int metadataSize() {
        return template.size();
    }

    /**
     * Writes prefix and metadata of a batch at {@code at} and zeroes the padding behind its
     * columns, so that equal batches are equal bytes. The columns are the caller's to fill, before
     * or after.
     *
     * @throws CodecException TOO_LARGE if no buffer can hold the batch
     * @throws IndexOutOfBoundsException if {@code target} cannot, before anything is written
     */
    public void writeMetadata(ByteBuffer target, int at, int rows) {
        int size = encodedSize(rows);
        Objects.checkFromIndexSize(at, size, target.limit());
        template.copyTo(target, at);
        LittleEndian.putLong(target, at + template.bodyPlace(), size - template.size());
        int bodyAt = at + template.size();
        if (shape.encodedKeys) {
            zero(target, bodyAt, bodyAt + ArrowMetadata.BYTES_DATA_OFFSET);
            LittleEndian.putInt(target, bodyAt + Integer.BYTES, rows);
        } else {
            LittleEndian.putLong(target, at + template.rowsPlace(), rows);
        }
        for (int i = 0; i < columns.size(); i++) {
            long offset = dataOffset(i, rows);
            long bytes = columnBytes(i, rows);
            patch(target, at, template.nodePlace(i), rows);
            patch(target, at, template.itemPlace(i), (long) rows * shape.width);
            patch(target, at, template.offsetPlace(i), offset);
            patch(target, at, template.lengthPlace(i), bytes);
            int end = (int) (offset + bytes);
            zero(target, bodyAt + end, bodyAt + (int) ArrowMetadata.align(end));
        }
    }

    private static void patch(ByteBuffer target, int at, int place, long value) {
        if (place != BatchTemplate.ABSENT) {
            LittleEndian.putLong(target, at + place, value);
        }
    }

    private static void zero(ByteBuffer target, int from, int to) {
        for (int i = from; i < to; i++) {
            target.put(i, (byte) 0);
        }
    }

    /** Returns where a column's data begins, from the batch's start; a multiple of 64. */
    public int columnOffset(int column, int rows) {
        Objects.checkIndex(column, columns.size());
        long offset = template.size() + dataOffset(column, checkRows(rows));
        if (offset > Integer.MAX_VALUE) {
            throw tooLarge(rows);
        }
        return (int) offset;
    }

    /** Returns the bytes of a column's data, padding left out. */
    public long columnBytes(int column, int rows) {
        Column.Kind kind = columns.get(column).kind();
        long items = kind.isList() ? (long) rows * shape.width : rows;
        return items * kind.bytes;
    }

    /**
     * Checks the batch at {@code [at, at + length)} and says where its columns lie. Batches written
     * by {@link #writeMetadata} take a short way; those of other writers with the same schema a
     * longer one, which validates all of the metadata. What follows the batch in that part of the
     * buffer is left alone.
     *
     * @throws CodecException if it is not a batch of this layout; nothing outside that part is read
     * @throws IndexOutOfBoundsException if that part is not within the buffer's limit
     */
    public BatchView read(ByteBuffer frame, int at, int length) {
        Objects.checkFromIndexSize(at, length, frame.limit());
        if (length >= template.size() && template.matches(frame, at)) {
            BatchView view = readOwn(frame, at, length);
            if (view != null) {
                return view;
            }
        }
        return new ForeignBatch(this, frame, at, length).view();
    }

    /** Returns the view of a batch whose numbers are those this layout would write, else null. */
    private BatchView readOwn(ByteBuffer frame, int at, int length) {
        int sizePlace = shape.encodedKeys ? template.lengthPlace(0) : template.rowsPlace();
        long claimed = LittleEndian.getLong(frame, at + sizePlace);
        if (claimed < 0 || claimed > Integer.MAX_VALUE) {
            return null;
        }
        int rows = (int) claimed;
        long size = template.size() + bodySize(rows);
        if (size > length || differs(frame, at, template.bodyPlace(), size - template.size())) {
            return null;
        }
        for (int i = 0; i < columns.size(); i++) {
            if (differs(frame, at, template.nodePlace(i), rows)
                    || differs(frame, at, template.itemPlace(i), (long) rows * shape.width)
                    || differs(frame, at, template.offsetPlace(i), dataOffset(i, rows))
                    || differs(frame, at, template.lengthPlace(i), columnBytes(i, rows))) {
                return null;
            }
        }
        int bodyAt = at + template.size();
        if (shape.encodedKeys
                && (LittleEndian.getInt(frame, bodyAt) != 0
                        || LittleEndian.getInt(frame, bodyAt + Integer.BYTES) != rows)) {
            return null;
        }
        return ownView(rows, bodyAt, (int) size);
    }

    private static boolean differs(ByteBuffer frame, int at, int place, long expected) {
        return place != BatchTemplate.ABSENT && LittleEndian.getLong(frame, at + place) != expected;
    }

    private BatchView ownView(int rows, int bodyAt, int size) {
        int keyColumns = shape.keys || shape.encodedKeys ? 1 : 0;
        int keyOffset = keyColumns == 0 ? -1 : bodyAt + (int) dataOffset(0, rows);
        int keyBytes = keyColumns == 0 ? 0 : (int) columnBytes(0, rows);
        int valueOffset = shape.width == 0 ? -1 : bodyAt + (int) dataOffset(keyColumns, rows);
        int[] slots = BatchView.slots(shape.slots);
        for (int i = 0; i < slots.length; i++) {
            slots[i] = bodyAt + (int) dataOffset(keyColumns + 1 + i, rows);
        }
        int steps = shape.steps ? bodyAt + (int) dataOffset(columns.size() - 1, rows) : -1;
        int viewRows = shape.encodedKeys ? 1 : rows;
        BatchView view =
                new BatchView(viewRows, size, keyOffset, keyBytes, valueOffset, slots, steps);
        return shape.scales() ? view.withScales(bodyAt + (int) dataOffset(1, rows)) : view;
    }

    /**
     * Returns the encapsulated schema message of these batches: a fresh read-only view of shared
     * bytes.
     */
    public ByteBuffer schemaMessage() {
        return ByteBuffer.wrap(schema).asReadOnlyBuffer();
    }

    /**
     * Checks that a peer's schema message at {@code [at, at + length)} describes batches that
     * {@link #read} takes: the same columns by name, type and width. Nullability and names within
     * lists do not matter.
     *
     * @return bytes of the message
     * @throws CodecException WRONG_SCHEMA if it describes others, else as {@link #read}
     */
    public int checkSchema(ByteBuffer frame, int at, int length) {
        Objects.checkFromIndexSize(at, length, frame.limit());
        return new ForeignSchema(this, frame, at, length).check();
    }

    @Override
    public String toString() {
        return "BatchLayout"
                + columns.stream().map(Column::name).toList()
                + " of width "
                + shape.width;
    }
}
