package io.github.flinkps.flink.data;

import java.util.HexFormat;

/** The format in which the bytes of a file are packed, as its first ones tell. */
public enum Packing {
    NONE("", ""),
    GZIP("gzip", "1f8b"),
    BZIP2("bzip2", "425a68..3141"),
    XZ("xz", "fd377a585a00"),
    ZSTANDARD("zstd", "28b52ffd"),
    LZ4("lz4", "04224d18"),
    ZIP("zip", "504b0304"),
    PARQUET("Parquet", "5041523115"),
    AVRO("Avro", "4f626a01");

    /** Bytes that tell. */
    static final int HEAD = 6;

    private final String program;
    private final String first;

    /**
     * @param first bytes in hexadecimal; two points for any
     */
    Packing(String program, String first) {
        this.program = program;
        this.first = first;
    }

    /** Returns the packing of a file that begins so. */
    static Packing of(byte[] head) {
        String text = HexFormat.of().formatHex(head);
        Packing found = NONE;
        for (Packing packing : values()) {
            int length = packing.first.length();
            if (text.length() >= length && text.substring(0, length).matches(packing.first)) {
                found = packing;
            }
        }
        return found;
    }

    /** Returns whether files of this packing are read. */
    boolean isRead() {
        return this == NONE || this == GZIP || this == PARQUET;
    }

    /** Returns why a file of this packing is not read. */
    String refusal() {
        return "it is of " + program + "; rows are read from text, plain or gzip, and from Parquet";
    }
}
