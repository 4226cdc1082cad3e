package io.github.flinkps.flink.data;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.io.SeekableInputStream;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/**
 * Reads a table of Parquet as lines of CSV in UTF-8, the names of its columns first. Belongs to one
 * thread; a group of rows is in memory at a time.
 */
final class ParquetLines extends InputStream {
    private final ParquetFileReader reader;
    private final MessageColumnIO columns;
    private final ParquetRow row;
    private RecordReader<ParquetRow> rows;
    private long left;
    private byte[] line;
    private int at;

    /**
     * Opens a file, and owns its stream from then on.
     *
     * @throws InputException naming what of it cannot be read
     */
    ParquetLines(FSDataInputStream in, long length) throws IOException {
        ParquetReadOptions options =
                ParquetReadOptions.builder(new PlainParquetConfiguration())
                        .withCodecFactory(new ParquetCodecs())
                        .build();
        try {
            reader = ParquetFileReader.open(new OpenFile(in, length), options);
            MessageType schema = reader.getFooter().getFileMetaData().getSchema();
            columns = new ColumnIOFactory().getColumnIO(schema);
            row = new ParquetRow(schema);
            List<String> names = schema.getFields().stream().map(Type::getName).toList();
            line = bytes(names.stream().map(ParquetRow::quoted).collect(Collectors.joining(",")));
        } catch (RuntimeException e) {
            throw damaged(e);
        }
    }

    private static byte[] bytes(String text) {
        return (text + '\n').getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the failure of a library that tells of damage by exceptions of all kinds. */
    private static InputException damaged(RuntimeException e) {
        return new InputException("it is damaged: " + e.getMessage(), e);
    }

    /** Goes to the next line; returns false at the end. */
    private boolean next() throws IOException {
        try {
            while (left == 0) {
                PageReadStore group = reader.readNextRowGroup();
                if (group == null) {
                    return false;
                }
                rows = columns.getRecordReader(group, row);
                left = group.getRowCount();
            }
            left--;
            line = bytes(rows.read().line());
            at = 0;
            return true;
        } catch (RuntimeException e) {
            throw damaged(e);
        }
    }

    @Override
    public int read() throws IOException {
        return at < line.length || next() ? line[at++] & 0xff : -1;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        int count = 0;
        while (count < length && (at < line.length || next())) {
            int bytes = Math.min(length - count, line.length - at);
            System.arraycopy(line, at, into, from + count, bytes);
            at += bytes;
            count += bytes;
        }
        return count == 0 && length > 0 ? -1 : count;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }

    /** Gives the library the one stream of a file that is open. */
    private record OpenFile(FSDataInputStream in, long length) implements InputFile {
        @Override
        public long getLength() {
            return length;
        }

        @Override
        public SeekableInputStream newStream() {
            return new DelegatingSeekableInputStream(in) {
                @Override
                public long getPos() throws IOException {
                    return in.getPos();
                }

                @Override
                public void seek(long position) throws IOException {
                    in.seek(position);
                }
            };
        }
    }
}
