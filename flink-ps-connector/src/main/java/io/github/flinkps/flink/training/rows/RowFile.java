package io.github.flinkps.flink.training.rows;

import io.github.flinkps.flink.service.FlinkModelStorage;
import io.github.flinkps.model.ModelStorage;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The mini-batches that a worker has cached between two barriers, in a file to which checkpoints
 * refer. The first thread that writes such a checkpoint writes the file; where that fails, or is
 * ended with its checkpoint, the next one does. It never changes then.
 *
 * <p>Layout: int {@link #MAGIC}, int {@link #VERSION}, then {@link RowRecord}s, each bound to its
 * place; references know their places.
 */
public final class RowFile {
    private static final Logger LOG = LoggerFactory.getLogger(RowFile.class);

    /** "FPSR". */
    private static final int MAGIC = 0x46505352;

    /** 1: rows as columns, with checksums that cover their place. */
    private static final int VERSION = 1;

    private static final int HEADER_BYTES = 2 * Integer.BYTES;

    private final String path;
    private final List<RowFileEntry> parts = new ArrayList<>();
    private boolean written;

    private RowFile(String path, boolean written) {
        this.path = path;
        this.written = written;
    }

    /** Returns a file to be written, of what is {@link #add}ed before a checkpoint refers to it. */
    static RowFile of(String path) {
        return new RowFile(path, false);
    }

    /** Returns a file that is there. */
    public static RowFile written(String path) {
        return new RowFile(path, true);
    }

    String path() {
        return path;
    }

    RowFileEntry add(RowSource source) {
        RowFileEntry part = new RowFileEntry(this, source);
        parts.add(part);
        return part;
    }

    /**
     * Returns when it is durable.
     *
     * @throws IOException if it cannot be; it can be tried again
     */
    synchronized void ensureWritten() throws IOException {
        if (written) {
            return;
        }
        ModelStorage storage = new FlinkModelStorage();
        try {
            storage.makeDirectories(path.substring(0, path.lastIndexOf('/')));
            write(storage);
        } catch (IOException e) {
            deleteQuietly(storage);
            throw new IOException("rows of the checkpoint cannot be written to " + path, e);
        }
        written = true;
        parts.clear();
    }

    private void write(ModelStorage storage) throws IOException {
        long[] places = new long[parts.size() + 1];
        places[0] = HEADER_BYTES;
        RowRecord record = new RowRecord();
        try (ModelStorage.Output output = storage.create(path)) {
            output.write(ByteBuffer.allocate(HEADER_BYTES).putInt(MAGIC).putInt(VERSION).flip());
            for (int i = 0; i < parts.size(); i++) {
                if (Thread.interrupted()) {
                    throw new InterruptedIOException("the checkpoint was given up");
                }
                parts.get(i).source().writeTo(record);
                record.bind(path, places[i]);
                places[i + 1] = places[i] + record.bytes().remaining();
                output.write(record.bytes());
            }
            output.sync();
        }
        for (int i = 0; i < parts.size(); i++) {
            parts.get(i).written(places[i], Math.toIntExact(places[i + 1] - places[i]));
        }
    }

    /**
     * Reads what is before the first rows.
     *
     * @throws IOException if the file holds no rows, or not as they are laid out here
     */
    static void checkHeader(InputStream in) throws IOException {
        DataInputStream header = new DataInputStream(in);
        if (header.readInt() != MAGIC) {
            throw new IOException("it is no file of rows");
        }
        int version = header.readInt();
        if (version != VERSION) {
            throw new IOException("its version is " + version + ", not " + VERSION);
        }
    }

    private void deleteQuietly(ModelStorage storage) {
        try {
            storage.delete(path);
        } catch (IOException e) {
            LOG.debug("{} is left", path, e);
        }
    }
}
