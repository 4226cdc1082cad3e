package io.github.flinkps.protocol;

import java.nio.ByteBuffer;

/**
 * Reads and writes the fixed part of an EXCHANGE request in place, {@value #BYTES} bytes behind the
 * frame's header:
 *
 * <pre>
 *  0 int32   session
 *  4 int32   flags: what the entry does
 *  8 int64   sequence of the entry in the worker's log
 * 16 int64   the worker's clock after the entry
 * 24 int64   clock the pulls are for
 * 32 int64   cut of a marker
 * 40 int64   newest cut that the sender of a marker knows to be complete
 * 48 float64 row weights of the mini-batch which the clock ends
 * 56 int32   push sections
 * 60 int32   pull sections
 * 64 sections ({@link ExchangeSection}): pushes, then pulls; then explicit sequences
 *    ({@link ExplicitSequence})
 * </pre>
 *
 * A worker has one log at each owner thread, which all partitions of the model there share, whether
 * an entry touches them or not. With {@link #EXPLICIT_SEQUENCES} the entry is a plain client's:
 * each partition that it touches has a sequence of its own.
 *
 * <p>With {@link #CLOCK} comes the sum of the row weights of the mini-batch that ends: a round of
 * BSP divides by those of all its mini-batches, whether or not they touched a partition.
 *
 * <p>A {@link #MARKER} stands alone: it carries neither pushes nor pulls, and nothing else.
 *
 * <p>All methods take the whole frame, little endian, and allocate nothing.
 */
public final class ExchangeHeader {
    public static final int BYTES = 64;

    public static final int CLOCK = 1;
    public static final int EXPLICIT_SEQUENCES = 2;
    public static final int IDLE = 4;
    public static final int REJOIN = 8;
    public static final int DEREGISTER = 16;
    public static final int MARKER = 32;

    private static final int BASE = FrameHeader.BYTES;

    private ExchangeHeader() {}

    /** Writes what is said of the sender: its session, and what the entry does. */
    public static void putEntry(ByteBuffer frame, int session, int flags, long sequence) {
        frame.putInt(BASE, session).putInt(BASE + 4, flags).putLong(BASE + 8, sequence);
    }

    public static void putClocks(ByteBuffer frame, long clock, long pullClock, double weight) {
        frame.putLong(BASE + 16, clock).putLong(BASE + 24, pullClock).putDouble(BASE + 48, weight);
    }

    public static void putMarker(ByteBuffer frame, long cut, long completeCut) {
        frame.putLong(BASE + 32, cut).putLong(BASE + 40, completeCut);
    }

    public static void putSections(ByteBuffer frame, int pushes, int pulls) {
        frame.putInt(BASE + 56, pushes).putInt(BASE + 60, pulls);
    }

    public static int session(ByteBuffer frame) {
        return frame.getInt(BASE);
    }

    public static int flags(ByteBuffer frame) {
        return frame.getInt(BASE + 4);
    }

    public static long sequence(ByteBuffer frame) {
        return frame.getLong(BASE + 8);
    }

    /** Returns the worker's clock after the entry. */
    public static long clock(ByteBuffer frame) {
        return frame.getLong(BASE + 16);
    }

    public static long pullClock(ByteBuffer frame) {
        return frame.getLong(BASE + 24);
    }

    /** Returns the cut of a marker. */
    public static long cut(ByteBuffer frame) {
        return frame.getLong(BASE + 32);
    }

    /** Returns the newest cut that the sender of a marker knows to be complete, 0 for none. */
    public static long completeCut(ByteBuffer frame) {
        return frame.getLong(BASE + 40);
    }

    /** Returns the sum of the row weights of the mini-batch which the clock ends. */
    public static double batchWeight(ByteBuffer frame) {
        return frame.getDouble(BASE + 48);
    }

    public static int pushes(ByteBuffer frame) {
        return frame.getInt(BASE + 56);
    }

    public static int pulls(ByteBuffer frame) {
        return frame.getInt(BASE + 60);
    }

    /** Returns the length of the control part with so many sections and explicit sequences. */
    public static long controlLength(long sections, long explicitSequences) {
        return BYTES
                + sections * ExchangeSection.BYTES
                + explicitSequences * ExplicitSequence.BYTES;
    }

    /** Returns where a section begins in the frame. */
    public static int section(int index) {
        return BASE + BYTES + index * ExchangeSection.BYTES;
    }

    /** Returns where an explicit sequence begins in a frame with so many sections. */
    public static int explicitSequence(int sections, int index) {
        return section(sections) + index * ExplicitSequence.BYTES;
    }
}
