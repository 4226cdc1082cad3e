package io.github.flinkps.flink.training;

import io.github.flinkps.flink.data.RowBatch;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.Path;

/** Reads rows of {@link RowFile}s, with the last file kept open. One thread. */
final class RowFileReader implements AutoCloseable {
    private final RowRecord record = new RowRecord();
    private String open = "";
    private FSDataInputStream file;

    RowBatch read(String path, long position, int length) throws IOException {
        try {
            if (!open.equals(path)) {
                close();
                Path name = new Path(path);
                file = name.getFileSystem().open(name);
                open = path;
            }
            if (file.getPos() != position) {
                file.seek(position);
            }
            record.hold(file, length);
            return record.read();
        } catch (IOException e) {
            throw new IOException(
                    "the rows of the checkpoint at "
                            + position
                            + " of "
                            + path
                            + " are lost: "
                            + (isMissing(e) ? "it is missing" : e.getMessage()),
                    e);
        }
    }

    private static boolean isMissing(IOException failure) {
        return failure instanceof FileNotFoundException || failure instanceof NoSuchFileException;
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
            file = null;
            open = "";
        }
    }
}
