package io.github.flinkps.flink.training.rows;

import io.github.flinkps.flink.data.RowBatch;
import java.io.EOFException;
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
                RowFile.checkHeader(file);
                open = path;
            }
            if (file.getPos() != position) {
                file.seek(position);
            }
            record.hold(file, length);
            return record.read(path, position);
        } catch (IOException e) {
            throw new IOException(
                    "the rows of the checkpoint at "
                            + position
                            + " of "
                            + path
                            + " are lost: "
                            + reason(e),
                    e);
        }
    }

    private static String reason(IOException failure) {
        boolean missing =
                failure instanceof FileNotFoundException || failure instanceof NoSuchFileException;
        return missing
                ? "it is missing"
                : failure instanceof EOFException
                        ? "the file ends too early"
                        : failure.getMessage();
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
