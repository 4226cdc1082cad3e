package io.github.flinkps.codec;

/**
 * Bytes that are not what they should be, or a batch too large to be written; the reason is typed.
 */
public final class CodecException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** The kinds of faults in messages and batches. */
    public enum Reason {
        /** The message is longer than the bytes at hand. */
        TRUNCATED,
        /** The bytes are not an encapsulated Arrow message of the expected kind and version. */
        NOT_A_BATCH,
        /** The metadata points outside itself. */
        BAD_METADATA,
        /** Another number, type or name of columns than expected. */
        WRONG_SCHEMA,
        /** A length is negative, or contradicts another. */
        BAD_LENGTH,
        /** A buffer lies outside the body. */
        BAD_OFFSET,
        /** A buffer or the body does not begin at a multiple of 8 bytes. */
        MISALIGNED,
        /** The body is compressed. */
        COMPRESSED_UNSUPPORTED,
        /** Values are missing. */
        NULLS,
        /** The size is beyond the cap on frames, or beyond what a buffer can hold. */
        TOO_LARGE,
        /** Delta-coded keys do not ascend or leave their key space. */
        BAD_KEYS,
        /** The id of an encoding this version does not know. */
        UNKNOWN_ENCODING
    }

    public CodecException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
