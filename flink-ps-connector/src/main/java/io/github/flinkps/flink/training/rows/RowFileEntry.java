package io.github.flinkps.flink.training.rows;

import io.github.flinkps.flink.data.RowBatch;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * The rows of a mini-batch in a {@link RowFile} beside the cuts, or on their way there.
 * Thread-safe; its content never changes.
 */
public final class RowFileEntry {
    private final RowFile file;
    private final int rows;

    /** The source of the rows, until they are written; under the monitor of the file. */
    private RowSource source;

    private long position;
    private int length;

    /** Makes a reference to rows that are to be written. */
    RowFileEntry(RowFile file, RowSource source) {
        this.file = file;
        this.rows = source.rows();
        this.source = source;
    }

    /** Makes a reference to rows that are written. */
    public RowFileEntry(RowFile file, long position, int length, int rows) {
        this.file = file;
        this.rows = rows;
        this.position = position;
        this.length = length;
    }

    /** Returns how many there are. */
    int rows() {
        return rows;
    }

    RowSource source() {
        return source;
    }

    /** Notes where in the file the rows were written, and lets go of their source. */
    void written(long at, int bytes) {
        position = at;
        length = bytes;
        source = null;
    }

    /** Sees to it that they are written, and writes where they are. */
    void writeReference(DataOutputView out) throws IOException {
        synchronized (file) {
            file.ensureWritten();
            out.writeUTF(file.path());
            out.writeLong(position);
            out.writeInt(length);
            out.writeInt(rows);
        }
    }

    static RowFileEntry readReference(DataInputView in) throws IOException {
        return new RowFileEntry(
                RowFile.written(in.readUTF()), in.readLong(), in.readInt(), in.readInt());
    }

    /**
     * Reads them.
     *
     * @throws IOException naming the file, if it is gone or damaged
     */
    public RowBatch read() throws IOException {
        try (RowFileReader reader = new RowFileReader()) {
            return read(reader);
        }
    }

    /**
     * Reads rows as {@link #read()} does, with a reader that goes on with others of the same file.
     */
    RowBatch read(RowFileReader reader) throws IOException {
        synchronized (file) {
            if (source != null) {
                RowRecord record = new RowRecord();
                source.writeTo(record);
                return record.read();
            }
        }
        return reader.read(file.path(), position, length);
    }
}
