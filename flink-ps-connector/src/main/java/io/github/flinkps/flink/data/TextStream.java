package io.github.flinkps.flink.data;

import java.io.Closeable;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.Path;

/**
 * The uncompressed bytes of a file, read forward. Plain files are positioned, compressed ones read
 * through. Belongs to one thread.
 */
final class TextStream implements Closeable {
    private static final int GZIP_BUFFER = 64 * 1024;
    private static final int TRAILER_BYTES = 8;

    private final TextFile file;
    private final FSDataInputStream raw;
    private final InputStream in;
    private long position;

    private TextStream(TextFile file, FSDataInputStream raw, InputStream in) {
        this.file = file;
        this.raw = raw;
        this.in = in;
    }

    static TextStream open(TextFile file) throws InputException {
        FSDataInputStream raw = null;
        try {
            Path path = file.path();
            raw = path.getFileSystem().open(path);
            InputStream in =
                    switch (file.packing()) {
                        case GZIP -> new Gzip(new NeverShort(raw));
                        case PARQUET -> new ParquetLines(raw, file.length());
                        default -> raw;
                    };
            return new TextStream(file, raw, in);
        } catch (NoClassDefFoundError e) {
            IOException missing =
                    new IOException(
                            "it is of Parquet: that needs org.apache.parquet:parquet-hadoop and"
                                    + " org.apache.hadoop:hadoop-client-api on the class path",
                            e);
            closeAfter(raw, missing);
            throw failure(file, 0, missing);
        } catch (IOException e) {
            closeAfter(raw, e);
            throw failure(file, 0, e);
        }
    }

    private static void closeAfter(Closeable open, IOException cause) {
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                cause.addSuppressed(e);
            }
        }
    }

    /** Returns the uncompressed offset of the next byte read. */
    long position() {
        return position;
    }

    /**
     * Reads some bytes, up to {@code length}; -1 at the end of the file as it was when the input
     * was listed.
     */
    int read(byte[] into, int at, int length) throws InputException {
        try {
            int wanted = file.packed() ? length : (int) Math.min(length, file.length() - position);
            if (wanted == 0) {
                return length == 0 ? 0 : -1;
            }
            int count = in.read(into, at, wanted);
            if (count > 0) {
                position += count;
            } else if (in instanceof Gzip gzip) {
                checkEnd(gzip);
            } else if (!file.packed()) {
                throw new EOFException(
                        "it has become shorter than the " + file.length() + " bytes it had");
            }
            return count;
        } catch (IOException e) {
            throw failure(file, position, e);
        }
    }

    /**
     * Checks what follows the compressed bytes: zeros may, with which some programs fill blocks.
     */
    private void checkEnd(Gzip gzip) throws IOException {
        if (gzip.checked) {
            return;
        }
        gzip.checked = true;
        raw.seek(gzip.end());
        byte[] rest = new byte[GZIP_BUFFER];
        for (int count = raw.read(rest); count >= 0; count = raw.read(rest)) {
            for (int i = 0; i < count; i++) {
                if (rest[i] != 0) {
                    throw new ZipException("what follows its end is not gzip");
                }
            }
        }
    }

    /** Goes forward to an offset, or to the end if that comes first. */
    void skipTo(long offset, byte[] scratch) throws InputException {
        if (file.packed()) {
            while (position < offset) {
                if (read(scratch, 0, (int) Math.min(scratch.length, offset - position)) < 0) {
                    return;
                }
            }
            return;
        }
        try {
            long target = Math.min(offset, file.length());
            raw.seek(target);
            position = target;
        } catch (IOException e) {
            throw failure(file, offset, e);
        }
    }

    private static InputException failure(TextFile file, long position, IOException e) {
        String name = file.displayName();
        if (e instanceof InputException input && file.packing() != Packing.PARQUET) {
            return input;
        }
        if (file.packing() == Packing.GZIP && e instanceof EOFException) {
            return new InputException(
                    name
                            + ": the gzip file is truncated; it ends after "
                            + position
                            + " bytes of text",
                    e);
        }
        if (file.packing() == Packing.GZIP && e instanceof ZipException) {
            return new InputException(
                    name
                            + ": the gzip file is damaged after "
                            + position
                            + " bytes of text: "
                            + e.getMessage(),
                    e);
        }
        return new InputException(name + " cannot be read: " + e.getMessage(), e);
    }

    /**
     * Returns the number of the line that begins at an offset, from 1; reads the file up to there,
     * which is why only errors ask. A compressed file is read to its end, because the error may be
     * no more than a sign of its being damaged, which its checksum tells.
     *
     * @throws InputException if so
     */
    static long lineAt(TextFile file, long offset) throws InputException {
        byte[] buffer = new byte[GZIP_BUFFER];
        long line = 1;
        try (TextStream stream = open(file)) {
            while (stream.position < offset) {
                int wanted = (int) Math.min(buffer.length, offset - stream.position);
                int count = stream.read(buffer, 0, wanted);
                for (int i = 0; i < count; i++) {
                    line += buffer[i] == '\n' ? 1 : 0;
                }
                if (count < 0) {
                    break;
                }
            }
            if (file.packed()) {
                stream.skipTo(Long.MAX_VALUE, buffer);
            }
        } catch (InputException e) {
            throw e;
        } catch (IOException e) {
            throw failure(file, offset, e);
        }
        return line;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    /** Knows where in the file the bytes end that it has understood. */
    private static final class Gzip extends GZIPInputStream {
        private final NeverShort bytes;
        private boolean checked;

        /** The offset in the file at which the buffer ends. */
        private long filledTo;

        Gzip(NeverShort bytes) throws IOException {
            super(bytes, GZIP_BUFFER);
            this.bytes = bytes;
        }

        @Override
        protected void fill() throws IOException {
            super.fill();
            filledTo = bytes.count;
        }

        /** Returns the offset in the file at which the last member ends, once all is read. */
        long end() {
            return filledTo - inf.getRemaining() + TRAILER_BYTES;
        }
    }

    /**
     * Says that bytes are available until there are none: {@link GZIPInputStream} takes 0 for the
     * end of the file, and would leave out the members that follow.
     */
    private static final class NeverShort extends FilterInputStream {
        private boolean ended;
        private long count;

        NeverShort(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int value = super.read();
            ended |= value < 0;
            count += value < 0 ? 0 : 1;
            return value;
        }

        @Override
        public int read(byte[] into, int at, int length) throws IOException {
            int read = super.read(into, at, length);
            ended |= read < 0;
            count += Math.max(0, read);
            return read;
        }

        @Override
        public int available() {
            return ended ? 0 : 1;
        }
    }
}
