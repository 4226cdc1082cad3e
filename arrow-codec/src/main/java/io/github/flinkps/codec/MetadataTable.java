package io.github.flinkps.codec;

import io.github.flinkps.codec.CodecException.Reason;
import java.nio.ByteBuffer;

/**
 * A table of a flatbuffer of unknown origin. Every access is checked to lie within the metadata,
 * {@code [start, end)} of the buffer, before it is made; what does not ends in BAD_METADATA. Fields
 * are named by their index in the table's definition.
 */
final class MetadataTable {
    private final ByteBuffer buffer;
    private final int start;
    private final int end;
    private final int table;
    private final int tableSize;
    private final int fields;
    private final int fieldCount;

    private MetadataTable(ByteBuffer buffer, int start, int end, int table) {
        this.buffer = buffer;
        this.start = start;
        this.end = end;
        this.table = table;
        check(table, Integer.BYTES);
        long vtable = (long) table - LittleEndian.getInt(buffer, table);
        check(vtable, 2 * Short.BYTES);
        int vtableSize = unsignedShort((int) vtable);
        this.tableSize = unsignedShort((int) vtable + Short.BYTES);
        if (vtableSize < 2 * Short.BYTES || tableSize < Integer.BYTES) {
            throw bad("a table without a size");
        }
        check(vtable, vtableSize);
        check(table, tableSize);
        this.fields = (int) vtable + 2 * Short.BYTES;
        this.fieldCount = vtableSize / Short.BYTES - 2;
    }

    /** Returns the root table of the flatbuffer at {@code [start, end)}. */
    static MetadataTable root(ByteBuffer buffer, int start, int end) {
        if (end - start < Integer.BYTES) {
            throw bad("shorter than its root");
        }
        long root = start + Integer.toUnsignedLong(LittleEndian.getInt(buffer, start));
        return new MetadataTable(buffer, start, end, inside(root, end));
    }

    private static int inside(long place, int end) {
        if (place >= end) {
            throw bad("a reference beyond its end");
        }
        return (int) place;
    }

    private void check(long from, long size) {
        if (from < start || size < 0 || from > end - size) {
            throw bad("a reference outside of it");
        }
    }

    static CodecException bad(String what) {
        return new CodecException(Reason.BAD_METADATA, "damaged metadata: " + what);
    }

    private int unsignedShort(int at) {
        return Short.toUnsignedInt(LittleEndian.getShort(buffer, at));
    }

    /** Returns the place of a field's value of that size, or 0 where the field is absent. */
    private int place(int field, int size) {
        if (field >= fieldCount) {
            return 0;
        }
        int offset = unsignedShort(fields + field * Short.BYTES);
        if (offset == 0) {
            return 0;
        }
        if (offset < Integer.BYTES || offset + size > tableSize) {
            throw bad("a field outside its table");
        }
        return table + offset;
    }

    boolean has(int field) {
        return place(field, 1) != 0;
    }

    long getLong(int field) {
        int at = place(field, Long.BYTES);
        return at == 0 ? 0 : LittleEndian.getLong(buffer, at);
    }

    int getInt(int field) {
        int at = place(field, Integer.BYTES);
        return at == 0 ? 0 : LittleEndian.getInt(buffer, at);
    }

    short getShort(int field) {
        int at = place(field, Short.BYTES);
        return at == 0 ? 0 : LittleEndian.getShort(buffer, at);
    }

    byte getByte(int field) {
        int at = place(field, 1);
        return at == 0 ? 0 : buffer.get(at);
    }

    /** Returns the table a field refers to, or null where it is absent. */
    MetadataTable getTable(int field) {
        int at = place(field, Integer.BYTES);
        return at == 0 ? null : new MetadataTable(buffer, start, end, follow(at));
    }

    private int follow(int at) {
        return inside(at + Integer.toUnsignedLong(LittleEndian.getInt(buffer, at)), end);
    }

    /**
     * Returns the place of the vector a field refers to, its length first; 0 where it is absent.
     * All of it is inside.
     */
    private int vector(int field, int elementSize) {
        int at = place(field, Integer.BYTES);
        if (at == 0) {
            return 0;
        }
        int vector = follow(at);
        check(vector, Integer.BYTES);
        check(vector, Integer.BYTES + (long) LittleEndian.getInt(buffer, vector) * elementSize);
        if (LittleEndian.getInt(buffer, vector) < 0) {
            throw bad("a negative length");
        }
        return vector;
    }

    /** Returns the number of elements of a vector, 0 where it is absent. */
    int vectorLength(int field, int elementSize) {
        int vector = vector(field, elementSize);
        return vector == 0 ? 0 : LittleEndian.getInt(buffer, vector);
    }

    /**
     * Returns the place of the first element of a vector, which is as long as {@link #vectorLength}
     * says.
     */
    int vectorStart(int field, int elementSize) {
        return vector(field, elementSize) + Integer.BYTES;
    }

    /** Returns a table out of a vector of them. */
    MetadataTable vectorTable(int field, int index) {
        int first = vectorStart(field, Integer.BYTES);
        return new MetadataTable(buffer, start, end, follow(first + index * Integer.BYTES));
    }

    /** Returns whether a text equals the characters, which are ASCII. */
    boolean textEquals(int field, String expected) {
        if (vectorLength(field, 1) != expected.length()) {
            return false;
        }
        int first = vectorStart(field, 1);
        for (int i = 0; i < expected.length(); i++) {
            if (buffer.get(first + i) != expected.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
