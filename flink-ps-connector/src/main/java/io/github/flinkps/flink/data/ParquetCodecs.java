package io.github.flinkps.flink.data;

import com.github.luben.zstd.Zstd;
import io.airlift.compress.lz4.Lz4Decompressor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.GZIPInputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.xerial.snappy.Snappy;

/**
 * Unpacks the pages of Parquet. The library's own codecs need more of Hadoop than its interfaces.
 */
final class ParquetCodecs implements CompressionCodecFactory {
    private interface Codec extends BytesInputDecompressor {
        byte[] unpack(byte[] packed, int size) throws IOException;

        private byte[] whole(byte[] packed, int size) throws IOException {
            byte[] unpacked = unpack(packed, size);
            if (unpacked.length != size) {
                throw new IOException(
                        "it is damaged: a page has " + unpacked.length + " bytes, not " + size);
            }
            return unpacked;
        }

        @Override
        default BytesInput decompress(BytesInput packed, int size) throws IOException {
            return BytesInput.from(whole(packed.toInputStream().readAllBytes(), size));
        }

        @Override
        default void decompress(ByteBuffer packed, int packedSize, ByteBuffer into, int size)
                throws IOException {
            byte[] bytes = new byte[packedSize];
            packed.get(bytes);
            into.put(whole(bytes, size));
        }

        @Override
        default void release() {}
    }

    @Override
    public BytesInputCompressor getCompressor(CompressionCodecName name) {
        throw new UnsupportedOperationException("Parquet is only read");
    }

    @Override
    public BytesInputDecompressor getDecompressor(CompressionCodecName name) {
        Codec codec =
                switch (name) {
                    case UNCOMPRESSED -> (packed, size) -> packed;
                    case SNAPPY -> (packed, size) -> Snappy.uncompress(packed);
                    case GZIP -> ParquetCodecs::gunzip;
                    case ZSTD -> Zstd::decompress;
                    case LZ4_RAW -> ParquetCodecs::lz4;
                    default ->
                            throw new IllegalArgumentException(
                                    "its pages are of "
                                            + name
                                            + "; snappy, gzip, zstd and lz4_raw are read");
                };
        return codec;
    }

    private static byte[] gunzip(byte[] packed, int size) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            return in.readNBytes(size);
        }
    }

    private static byte[] lz4(byte[] packed, int size) {
        byte[] unpacked = new byte[size];
        int bytes = new Lz4Decompressor().decompress(packed, 0, packed.length, unpacked, 0, size);
        return bytes == size ? unpacked : new byte[0];
    }

    @Override
    public void release() {}
}
