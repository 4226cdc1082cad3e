package io.github.flinkps.codec;

import com.google.flatbuffers.FlatBufferBuilder;
import io.github.flinkps.codec.CodecException.Reason;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;

/**
 * The frame of an Arrow IPC file around the batches of one layout. A file is {@link #start}, any
 * number of batches as {@link BatchLayout#writeMetadata} lays them out, then {@link #end}. Batches
 * follow each other without a gap; in such a file they, and so their columns, begin at multiples of
 * 64 bytes.
 */
public final class BatchFileFormat {
    private static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);
    private static final int MAGIC_BYTES = 8;
    private static final int BLOCK_ALIGNMENT = 8;

    private BatchFileFormat() {}

    /**
     * One batch in a file.
     *
     * @param offset from the file's start
     * @param rows as given to {@link BatchLayout#writeMetadata}
     */
    public record BatchBlock(long offset, int rows) {}

    /** Returns the bytes before the first batch: magic and schema, a multiple of 64. */
    public static ByteBuffer start(BatchLayout layout) {
        byte[] schema = ArrowMetadata.schemaMessage(layout.columns(), layout.width(), MAGIC_BYTES);
        return ByteBuffer.allocate(MAGIC_BYTES + schema.length)
                .put(MAGIC)
                .put(MAGIC_BYTES, schema)
                .rewind()
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Returns the bytes after the last batch: end mark, and a footer that names the offsets of the
     * batches.
     */
    public static ByteBuffer end(BatchLayout layout, List<BatchBlock> batches) {
        FlatBufferBuilder builder = new FlatBufferBuilder(1024);
        int schema = ArrowMetadata.schema(builder, layout.columns(), layout.width());
        Footer.startDictionariesVector(builder, 0);
        int dictionaries = builder.endVector();
        Footer.startRecordBatchesVector(builder, batches.size());
        for (int i = batches.size() - 1; i >= 0; i--) {
            BatchBlock batch = batches.get(i);
            int body = layout.encodedSize(batch.rows()) - layout.metadataSize();
            Block.createBlock(builder, batch.offset(), layout.metadataSize(), body);
        }
        int places = builder.endVector();
        builder.finish(
                Footer.createFooter(builder, MetadataVersion.V5, schema, dictionaries, places, 0));
        ByteBuffer footer = builder.dataBuffer();
        int size = footer.remaining();
        return ByteBuffer.allocate(BLOCK_ALIGNMENT + size + Integer.BYTES + MAGIC.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(ArrowMetadata.CONTINUATION)
                .putInt(0)
                .put(footer)
                .putInt(size)
                .put(MAGIC)
                .flip();
    }

    /**
     * Checks magic and schema at a file's start.
     *
     * @param length bytes at hand from {@code at}
     * @return where the first message begins, from {@code at}
     * @throws CodecException if it is no such file, or one of another layout
     */
    public static int checkStart(BatchLayout layout, ByteBuffer file, int at, int length) {
        Objects.checkFromIndexSize(at, length, file.limit());
        if (length < MAGIC_BYTES) {
            throw new CodecException(Reason.TRUNCATED, "the file ends within its first bytes");
        }
        for (int i = 0; i < MAGIC.length; i++) {
            if (file.get(at + i) != MAGIC[i]) {
                throw new CodecException(Reason.NOT_A_BATCH, "not an Arrow file");
            }
        }
        return MAGIC_BYTES + layout.checkSchema(file, at + MAGIC_BYTES, length - MAGIC_BYTES);
    }

    /** Returns the bytes of a message's prefix, enough for {@link #metadataSize}. */
    public static int prefixSize() {
        return ArrowMetadata.PREFIX_BYTES;
    }

    /**
     * Returns the bytes of prefix and metadata of the message whose prefix is at {@code at}; 0 at
     * the end mark.
     *
     * @throws CodecException if it is no prefix, or the metadata is beyond the limits
     */
    public static int metadataSize(ByteBuffer prefix, int at, CodecLimits limits) {
        int length = LittleEndian.getInt(prefix, at + Integer.BYTES);
        if (LittleEndian.getInt(prefix, at) == ArrowMetadata.CONTINUATION && length == 0) {
            return 0;
        }
        int most = limits.maxFrameBytes();
        return ArrowMetadata.PREFIX_BYTES + ForeignMessage.metadataLength(prefix, at, most);
    }

    /**
     * Returns the bytes of the whole record batch whose prefix and metadata are at {@code at}.
     *
     * @param length of prefix and metadata
     * @throws CodecException if it is no batch, or one beyond the limits
     */
    public static int batchSize(ByteBuffer metadata, int at, int length, CodecLimits limits) {
        Objects.checkFromIndexSize(at, length, metadata.limit());
        ForeignMessage.Envelope envelope =
                ForeignMessage.envelope(metadata, at, length, MessageHeader.RecordBatch);
        if (envelope.bodyLength() > limits.maxFrameBytes()) {
            throw new CodecException(
                    Reason.TOO_LARGE,
                    "a batch of " + envelope.bodyLength() + " bytes is beyond the cap");
        }
        return limits.check(envelope.bodyAt() - at + envelope.bodyLength());
    }
}
