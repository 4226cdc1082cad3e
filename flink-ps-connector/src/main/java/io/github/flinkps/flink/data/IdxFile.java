package io.github.flinkps.flink.data;

import java.io.IOException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The head of a file of the format IDX, that of MNIST (LeCun, Cortes, Burges): two zeros, a byte
 * for the type, one for the number of dimensions, their sizes as big-endian int32, then the values.
 *
 * @param file where it is
 * @param type of its values
 * @param items size of the first dimension
 * @param itemValues product of the others, 1 if there is none
 * @param dataAt where the values begin
 * @param dimensions their number
 */
record IdxFile(TextFile file, Type type, int items, int itemValues, int dataAt, int dimensions)
        implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final int HEAD = 4;
    private static final int MOST_DIMENSIONS = 8;
    private static final int MOST_VALUES = 1 << 24;

    /** The values that a file may hold. */
    enum Type {
        UNSIGNED_BYTE(0x08, 1),
        SIGNED_BYTE(0x09, 1),
        SHORT(0x0B, 2),
        INT(0x0C, 4),
        FLOAT(0x0D, 4),
        DOUBLE(0x0E, 8);

        private final int code;
        private final int bytes;

        Type(int code, int bytes) {
            this.code = code;
            this.bytes = bytes;
        }

        /** Returns the size of a value, in bytes. */
        int bytes() {
            return bytes;
        }

        /** Returns a value; unsigned bytes are shades from 0 to 1, or labels. */
        float read(ByteBuffer data, int at) {
            return switch (this) {
                case UNSIGNED_BYTE -> data.get(at) & 0xff;
                case SIGNED_BYTE -> data.get(at);
                case SHORT -> data.getShort(at);
                case INT -> data.getInt(at);
                case FLOAT -> data.getFloat(at);
                case DOUBLE -> (float) data.getDouble(at);
            };
        }
    }

    /** Returns the size of an item, in bytes. */
    int itemBytes() {
        return itemValues * type.bytes();
    }

    /** Returns whether it holds a number per row: labels. */
    boolean isLabels() {
        return dimensions == 1;
    }

    /**
     * Reads the head.
     *
     * @throws InputException for a file that is not of this format, or too short for what it says
     */
    static IdxFile open(TextFile file) throws InputException {
        byte[] bytes = new byte[HEAD + 4 * MOST_DIMENSIONS];
        int count = 0;
        try (TextStream stream = TextStream.open(file)) {
            int more = 0;
            while (more >= 0 && count < bytes.length) {
                count += more;
                more = stream.read(bytes, count, bytes.length - count);
            }
        } catch (InputException e) {
            throw e;
        } catch (IOException e) {
            throw new InputException(file.displayName() + " cannot be read: " + e.getMessage(), e);
        }
        ByteBuffer head = ByteBuffer.wrap(bytes, 0, count);
        if (count < HEAD || head.getShort(0) != 0) {
            throw problem(file, "it is not of the format idx: it does not begin with two zeros");
        }
        Type type = null;
        for (Type candidate : Type.values()) {
            type = candidate.code == head.get(2) ? candidate : type;
        }
        int dimensions = head.get(3);
        int dataAt = HEAD + 4 * dimensions;
        if (type == null || dimensions < 1 || dimensions > MOST_DIMENSIONS || count < dataAt) {
            throw problem(
                    file,
                    "it is not of the format idx: type "
                            + head.get(2)
                            + " with "
                            + dimensions
                            + " dimensions");
        }
        long values = 1;
        for (int i = 1; i < dimensions; i++) {
            values *= Math.max(0, head.getInt(HEAD + 4 * i));
            if (values < 1 || values > MOST_VALUES) {
                throw problem(file, "an item of " + values + " values");
            }
        }
        int items = head.getInt(HEAD);
        long wanted = dataAt + (long) items * values * type.bytes();
        if (items < 0 || !file.packed() && file.length() < wanted) {
            throw problem(
                    file,
                    "it is truncated: "
                            + items
                            + " items need "
                            + wanted
                            + " bytes, not "
                            + file.length());
        }
        return new IdxFile(file, type, items, (int) values, dataAt, dimensions);
    }

    private static InputException problem(TextFile file, String what) {
        return new InputException(file.displayName() + ": " + what);
    }

    /**
     * Returns the data files of an input, each with its labels: files of several dimensions and
     * files of one, in the order they are named in.
     *
     * @param labelled whether there must be labels
     */
    static List<Pair> pairs(List<String> paths, boolean labelled) throws InputException {
        List<IdxFile> data = new ArrayList<>();
        List<IdxFile> labels = new ArrayList<>();
        for (TextFile file : TextInput.list(paths)) {
            IdxFile idx = open(file);
            (idx.isLabels() ? labels : data).add(idx);
        }
        boolean without = labels.isEmpty() && !labelled;
        if (data.isEmpty() || !without && labels.size() != data.size()) {
            throw new InputException(
                    "input "
                            + String.join(",", paths)
                            + " holds "
                            + data.size()
                            + " idx files of rows and "
                            + labels.size()
                            + " of labels: name one of each, or as many");
        }
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < data.size(); i++) {
            IdxFile rows = data.get(i);
            IdxFile own = without ? null : labels.get(i);
            if (own != null && own.items() != rows.items()) {
                throw problem(
                        own.file(),
                        own.items()
                                + " labels for the "
                                + rows.items()
                                + " rows of "
                                + rows.file().displayName());
            }
            if (rows.itemValues() != data.get(0).itemValues()) {
                throw problem(
                        rows.file(),
                        "rows of "
                                + rows.itemValues()
                                + " values; those before have "
                                + data.get(0).itemValues());
            }
            pairs.add(new Pair(rows, own));
        }
        return pairs;
    }

    /** Rows and their labels; null where there are none. */
    record Pair(IdxFile rows, IdxFile labels) {}
}
