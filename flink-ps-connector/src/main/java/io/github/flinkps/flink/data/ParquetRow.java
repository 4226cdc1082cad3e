package io.github.flinkps.flink.data;

import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.io.api.RecordMaterializer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveStringifier;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;

/**
 * Takes the values of a row of Parquet, and writes them as a line of CSV. A truth value is 1 or 0,
 * times and dates are written as ISO 8601 does, and a missing value is an empty field. Belongs to
 * one thread.
 */
final class ParquetRow extends RecordMaterializer<ParquetRow> {
    private final List<Column> columns = new ArrayList<>();
    private final GroupConverter root = new Root();

    /**
     * @throws InputException naming a column that is no field of CSV
     */
    ParquetRow(MessageType schema) throws InputException {
        for (Type column : schema.getFields()) {
            if (!column.isPrimitive() || column.isRepetition(Type.Repetition.REPEATED)) {
                throw new InputException(
                        "column "
                                + column.getName()
                                + " is nested; a column must have one value a row");
            }
            columns.add(new Column(column.asPrimitiveType()));
        }
    }

    /** Returns the row that was read last, as a line without its end. */
    String line() {
        StringBuilder line = new StringBuilder();
        for (Column column : columns) {
            line.append(line.isEmpty() && column == columns.get(0) ? "" : ",").append(column.field);
        }
        return line.toString();
    }

    /** Returns a text as a field of CSV, with quotes where it needs them. */
    static String quoted(String text) {
        boolean plain =
                text.equals(text.strip())
                        && text.chars()
                                .noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }

    @Override
    public ParquetRow getCurrentRecord() {
        return this;
    }

    @Override
    public GroupConverter getRootConverter() {
        return root;
    }

    private final class Root extends GroupConverter {
        @Override
        public Converter getConverter(int column) {
            return columns.get(column);
        }

        @Override
        public void start() {
            columns.forEach(column -> column.field = "");
        }

        @Override
        public void end() {}
    }

    /** Takes the values of a column. */
    private static final class Column extends PrimitiveConverter {
        private final PrimitiveStringifier texts;
        private final boolean bytes;
        private String field = "";

        Column(PrimitiveType type) {
            texts = type.stringifier();
            bytes =
                    type.getPrimitiveTypeName() == PrimitiveTypeName.BINARY
                            && type.getLogicalTypeAnnotation() == null;
        }

        @Override
        public void addBoolean(boolean value) {
            field = value ? "1" : "0";
        }

        @Override
        public void addInt(int value) {
            field = texts.stringify(value);
        }

        @Override
        public void addLong(long value) {
            field = texts.stringify(value);
        }

        @Override
        public void addFloat(float value) {
            field = texts.stringify(value);
        }

        @Override
        public void addDouble(double value) {
            field = texts.stringify(value);
        }

        /** Takes bytes that nothing says more about for text, as older writers mean them. */
        @Override
        public void addBinary(Binary value) {
            field = quoted(bytes ? value.toStringUsingUTF8() : texts.stringify(value));
        }
    }
}
