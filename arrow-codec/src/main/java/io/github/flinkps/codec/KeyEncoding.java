package io.github.flinkps.codec;

import io.github.flinkps.codec.CodecException.Reason;

/** The encodings of keys in messages. Ids are permanent. */
public enum KeyEncoding {
    /** int64 each, see {@link BatchLayout#keys}. */
    RAW(0),
    /** Differences of ascending keys, see {@link DeltaKeys} and {@link BatchLayout#encodedKeys}. */
    DELTA(1);

    private final int id;

    KeyEncoding(int id) {
        this.id = id;
    }

    public int id() {
        return id;
    }

    /**
     * @throws CodecException UNKNOWN_ENCODING
     */
    public static KeyEncoding ofId(int id) {
        for (KeyEncoding encoding : values()) {
            if (encoding.id == id) {
                return encoding;
            }
        }
        throw new CodecException(Reason.UNKNOWN_ENCODING, "unknown key encoding " + id);
    }
}
