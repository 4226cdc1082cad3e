package io.github.flinkps.protocol;

/**
 * The control part of EXCHANGE, the hot path: fixed offsets, read and written in place.
 *
 * <pre>
 * request                                              section (push or pull of one table), 64 bytes
 *  0 int32 session                                      0 int32  table
 *  4 int32 flags: what the entry does                   4 int8   addressing: 1 keys, 2 cached, 3 range, 4 delta
 *  8 int64 sequence of the entry in the worker's log    5 int8   value encoding: 0 fp32
 * 16 int64 the worker's clock after the entry           8 int64  signature of the keys | first key of the range
 *          | marker: the newest cut known complete     16 int64  end of the range (exclusive)
 * 24 int64 clock the pulls are for | marker: the cut
 * 32 int32 push sections                               24 float64 sum of row weights (push)
 * 36 int32 pull sections                               32 int32  number of rows
 * 40 float64 row weights of the mini-batch (clock)     36 int32  explicit sequences of this section
 * 48 sections: pushes, then pulls                      40 int32  offset in the frame, 44 length: message of keys
 *    then explicit sequences:                          48 int32  offset in the frame, 52 length: message of values
 *    int32 partition, int64 sequence each
 *
 * response: 0 int32 pull sections, 8 int64 lowest clock at this owner; then for each 16 bytes:
 *           int32 table, int32 rows, int32 offset in the frame, int32 length of the message of values
 * </pre>
 *
 * Without {@link #EXPLICIT_SEQUENCES} the entry stands at the same sequence in the log of every
 * partition of the model at that owner, touched or not; with it, only the touched partitions have
 * one, each its own.
 *
 * <p>With {@link #CLOCK} comes the sum of the row weights of the mini-batch that ends, because a
 * round of BSP divides by those of all its mini-batches, whether or not they touched a partition.
 *
 * <p>A {@link #MARKER} stands alone: it carries neither pushes nor pulls, and nothing else.
 *
 * <p>The keys of a message are unique, and in the order of their hashes (sparse) or ascending
 * (dense); addressing {@code delta} carries the hashes themselves, coded by {@code DeltaKeys}. A
 * range covers the rows of this owner's partitions, ascending.
 */
public final class ExchangeLayout {
    public static final int REQUEST_BYTES = 48;
    public static final int SECTION_BYTES = 64;
    public static final int RESPONSE_BYTES = 16;
    public static final int RESPONSE_SECTION_BYTES = 16;
    public static final int EXPLICIT_BYTES = 12;

    public static final int CLOCK = 1;
    public static final int EXPLICIT_SEQUENCES = 2;
    public static final int IDLE = 4;
    public static final int REJOIN = 8;
    public static final int DEREGISTER = 16;
    public static final int MARKER = 32;

    public static final int KEYS = 1;
    public static final int CACHED = 2;
    public static final int RANGE = 3;
    public static final int DELTA = 4;

    private ExchangeLayout() {}
}
