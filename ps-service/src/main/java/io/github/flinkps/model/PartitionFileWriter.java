package io.github.flinkps.model;

import io.github.flinkps.codec.BatchFileFormat;
import io.github.flinkps.codec.BatchFileFormat.BatchBlock;
import io.github.flinkps.codec.BatchLayout;
import io.github.flinkps.codec.ColumnCopy;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Writes the file of one partition through one buffer, to which {@link #close} lets go. */
public final class PartitionFileWriter implements Closeable {
    private static final Pattern OTHER_CHARACTERS = Pattern.compile("[^A-Za-z0-9_-]");

    private final BatchLayout layout;
    private final ModelStorage.Output output;
    private final ArrowBuf buffer;
    private final ByteBuffer block;
    private final List<BatchBlock> blocks = new ArrayList<>();
    private final CRC32C crc = new CRC32C();
    private long rows;
    private long bytes;

    /** Returns the file of a partition within a directory of tables, from its start. */
    public static String path(String data, int table, String tableName, int partition) {
        String name = OTHER_CHARACTERS.matcher(tableName).replaceAll("_");
        return data + '/' + padded(table, 2) + '-' + name + "-p" + padded(partition, 5) + ".arrow";
    }

    /**
     * Returns a number padded with zeros. It parses no format, as manifests have thousands of
     * these.
     */
    private static String padded(int number, int digits) {
        String text = Integer.toString(number);
        return "0".repeat(Math.max(0, digits - text.length())) + text;
    }

    public PartitionFileWriter(
            BatchLayout layout, ModelStorage storage, String file, BufferAllocator allocator)
            throws IOException {
        this(layout, storage, file, allocator.buffer(BlockFormat.bufferSize(layout)));
    }

    /** Takes over a reference to a buffer of at least {@link BlockFormat#bufferSize} bytes. */
    public PartitionFileWriter(
            BatchLayout layout, ModelStorage storage, String file, ArrowBuf buffer)
            throws IOException {
        this.layout = layout;
        this.buffer = buffer;
        try {
            this.block = buffer.nioBuffer(0, BlockFormat.bufferSize(layout));
            this.output = storage.create(file);
        } catch (IOException | RuntimeException | Error e) {
            buffer.close();
            throw e;
        }
    }

    public void start() throws IOException {
        write(BatchFileFormat.start(layout));
    }

    /** Writes rows {@code [from, from + count)} of a block, no more than a batch has. */
    public void write(RowBlock source, int from, int count) throws IOException {
        int width = layout.width();
        layout.writeMetadata(block, 0, count);
        ColumnCopy.putLongs(block, layout.columnOffset(0, count), source.keys(), from, count);
        ColumnCopy.putFloats(
                block, layout.columnOffset(1, count), source.values(), from * width, count * width);
        for (int i = 0; i < layout.slotCount(); i++) {
            ColumnCopy.putFloats(
                    block,
                    layout.columnOffset(i + 2, count),
                    source.slots()[i],
                    from * width,
                    count * width);
        }
        if (layout.hasSteps()) {
            int at = layout.columnOffset(layout.slotCount() + 2, count);
            ColumnCopy.putInts(block, at, source.steps(), from, count);
        }
        blocks.add(new BatchBlock(bytes, count));
        rows += count;
        write(block.slice(0, layout.encodedSize(count)));
    }

    /** Ends the file and makes it survive. */
    public StoredFile finish(String path) throws IOException {
        write(BatchFileFormat.end(layout, blocks));
        output.sync();
        output.close();
        return new StoredFile(path, rows, bytes, (int) crc.getValue());
    }

    private void write(ByteBuffer part) throws IOException {
        crc.update(part.duplicate());
        bytes += part.remaining();
        output.write(part);
    }

    /** Closes the file, either after {@link #finish} or to give it up. */
    @Override
    public void close() throws IOException {
        buffer.close();
        output.close();
    }
}
