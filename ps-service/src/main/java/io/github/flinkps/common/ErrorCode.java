package io.github.flinkps.common;

/** Every error a server may answer; ids are permanent. */
public enum ErrorCode {
    NONE(0, false, "no error"),
    /** The peer speaks no common version. */
    UNSUPPORTED_VERSION(1, false, "client and server have no protocol version in common"),
    UNKNOWN_API(2, false, "the request's api is not known"),
    MALFORMED(3, false, "the request cannot be read"),
    TOO_LARGE(4, false, "the frame is larger than the limit"),
    UNKNOWN_MODEL(5, false, "no such model"),
    UNKNOWN_TABLE(6, false, "no such table"),
    CONFLICTING_DEFINITION(7, false, "it exists with another definition"),
    INVALID_ARGUMENT(8, false, "an argument is out of range"),
    KEY_OUT_OF_RANGE(9, false, "a key lies outside the table"),
    NOT_FINITE(10, false, "a value is NaN or infinite"),
    FENCED(11, false, "a newer attempt of the job has taken over"),
    UNKNOWN_SESSION(12, false, "the session is not registered here"),
    SEQUENCE_TOO_OLD(13, false, "the operation lies below the window"),
    /** A signature is not cached: send the keys. */
    UNKNOWN_KEYS(14, true, "the key list is not cached"),
    NOT_READY(
            15,
            true,
            "a worker lags behind the consistency bound, or the model is being rolled back"),
    NOT_OWNER(16, true, "the partition lives elsewhere"),
    THROTTLED(17, true, "a queue is full"),
    DISCONNECTED(18, true, "the connection was lost"),
    TIMEOUT(19, false, "the deadline has passed"),
    CLOSED(20, false, "closed"),
    TABLE_FULL(21, false, "the partition cannot take more rows"),
    INTERNAL(22, false, "the server failed"),
    CORRUPT(23, false, "a file or message is damaged"),
    IO(24, false, "reading or writing failed"),
    /** A worker that lags is deferred behind a marker: go on to the barrier, or try again. */
    CUT_PENDING(25, true, "a worker that lags has come to a barrier the caller has not"),
    CUT_FAILED(26, false, "the cut has been given up"),
    UNAUTHENTICATED(27, false, "one end has not proved who it is, or will not speak without TLS"),
    ROLLED_BACK(28, false, "rows have been rolled back since they began to be read"),
    FORBIDDEN(29, false, "the client may not do this with the model");

    private final int id;
    private final boolean retriable;
    private final String meaning;

    ErrorCode(int id, boolean retriable, String meaning) {
        this.id = id;
        this.retriable = retriable;
        this.meaning = meaning;
    }

    public int id() {
        return id;
    }

    /** Returns whether the same request may succeed later. */
    public boolean retriable() {
        return retriable;
    }

    public String meaning() {
        return meaning;
    }

    /** Returns the code of an id; INTERNAL for one this version does not know. */
    public static ErrorCode ofId(int id) {
        for (ErrorCode code : values()) {
            if (code.id == id) {
                return code;
            }
        }
        return INTERNAL;
    }
}
