package io.github.flinkps.codec;

import io.github.flinkps.codec.CodecException.Reason;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.Type;

/** Compares a schema message by any writer with a layout. */
final class ForeignSchema {
    private static final int ENDIANNESS = 0;
    private static final int FIELDS = 1;
    private static final int FIELD_NAME = 0;
    private static final int FIELD_TYPE_ID = 2;
    private static final int FIELD_TYPE = 3;
    private static final int FIELD_DICTIONARY = 4;
    private static final int FIELD_CHILDREN = 5;

    private final BatchLayout layout;
    private final ForeignMessage message;
    private final int size;

    ForeignSchema(BatchLayout layout, ByteBuffer frame, int at, int length) {
        this.layout = layout;
        this.message = new ForeignMessage(frame, at, length, MessageHeader.Schema);
        this.size = message.bodyAt + message.bodyLength - at;
    }

    int check() {
        MetadataTable schema = message.header;
        require(schema.getShort(ENDIANNESS) == Endianness.Little, "big endian");
        List<Column> columns = layout.columns();
        int count = schema.vectorLength(FIELDS, Integer.BYTES);
        require(count == columns.size(), count + " columns");
        for (int i = 0; i < count; i++) {
            MetadataTable field = schema.vectorTable(FIELDS, i);
            Column column = columns.get(i);
            require(
                    field.textEquals(FIELD_NAME, column.name()),
                    "column " + i + " is not '" + column.name() + "'");
            require(!field.has(FIELD_DICTIONARY), "'" + column.name() + "' has a dictionary");
            require(typeMatches(field, column.kind()), "'" + column.name() + "' has another type");
        }
        return size;
    }

    private boolean typeMatches(MetadataTable field, Column.Kind kind) {
        byte id = field.getByte(FIELD_TYPE_ID);
        MetadataTable type = field.getTable(FIELD_TYPE);
        if (type == null) {
            return false;
        }
        return switch (kind) {
            case KEY -> id == Type.Int && type.getInt(0) == Long.SIZE && type.getByte(1) != 0;
            case STEP -> id == Type.Int && type.getInt(0) == Integer.SIZE && type.getByte(1) != 0;
            case BYTES -> id == Type.Binary;
            case SCALE -> id == Type.FloatingPoint && type.getShort(0) == Precision.SINGLE;
            case VALUE, HALF, UPPER_HALF, INT8 ->
                    id == Type.FixedSizeList
                            && type.getInt(0) == layout.width()
                            && itemMatches(field, kind);
        };
    }

    private static boolean itemMatches(MetadataTable field, Column.Kind kind) {
        if (field.vectorLength(FIELD_CHILDREN, Integer.BYTES) != 1) {
            return false;
        }
        MetadataTable child = field.vectorTable(FIELD_CHILDREN, 0);
        MetadataTable type = child.getTable(FIELD_TYPE);
        byte id = child.getByte(FIELD_TYPE_ID);
        if (type == null || child.has(FIELD_DICTIONARY)) {
            return false;
        }
        return switch (kind) {
            case UPPER_HALF ->
                    id == Type.Int && type.getInt(0) == Short.SIZE && type.getByte(1) == 0;
            case INT8 -> id == Type.Int && type.getInt(0) == Byte.SIZE && type.getByte(1) != 0;
            case HALF -> id == Type.FloatingPoint && type.getShort(0) == Precision.HALF;
            default -> id == Type.FloatingPoint && type.getShort(0) == Precision.SINGLE;
        };
    }

    private void require(boolean condition, String what) {
        if (!condition) {
            throw new CodecException(
                    Reason.WRONG_SCHEMA, "not a schema of " + layout + ": " + what);
        }
    }
}
