package io.github.flinkps.server;

import io.github.flinkps.codec.ValueEncoding;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.ExchangeHeader;
import io.github.flinkps.protocol.ExchangeSection;
import io.github.flinkps.protocol.ExplicitSequence;
import io.github.flinkps.protocol.FrameHeader;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * An EXCHANGE read in place: what it does to the log of its sender, and what it pulls. Its frame
 * and the rows it names are kept from {@link #retain} to {@link #release}. Confined to the owner
 * thread.
 */
final class LogEntry {
    private static final RowSet[] NO_ROWS = {};

    private final ByteBuf frame;
    private final ByteBuffer bytes;
    private final int flags;
    private final int pushes;
    private final int pulls;
    private final int positions;
    private RowSet[] rows = NO_ROWS;
    private Push[] pushed;
    private ValueEncoding[] encodings;

    /** Sections whose rows are known and retained. */
    private int bound;

    private PsException refusal;
    private long answerBytes;
    private long heapBytes;

    /** The entry of the same worker that is deferred behind this one, or null. */
    private LogEntry nextDeferred;

    /** Visits a position that a push of a plain client takes in the log of a partition. */
    interface PositionVisitor {
        /** Returns whether to show the next one too. */
        boolean visit(int table, int partition, long sequence);
    }

    /** Visits all of several positions. */
    interface PositionConsumer {
        void accept(int table, int partition, long sequence);
    }

    /**
     * Reads the fixed part.
     *
     * @throws PsException MALFORMED; the frame stays the caller's
     */
    LogEntry(ByteBuf frame) {
        this.frame = frame;
        this.bytes = frame.nioBuffer(0, frame.writerIndex()).order(ByteOrder.LITTLE_ENDIAN);
        int control = FrameHeader.controlLength(frame);
        if (!FrameHeader.hasControl(frame, ExchangeHeader.BYTES)) {
            throw SectionReader.malformed("control part of " + control + " bytes");
        }
        this.flags = ExchangeHeader.flags(bytes);
        this.pushes = ExchangeHeader.pushes(bytes);
        this.pulls = ExchangeHeader.pulls(bytes);
        if (pushes < 0
                || pulls < 0
                || ExchangeHeader.controlLength((long) pushes + pulls, 0) > control) {
            throw SectionReader.malformed(pushes + " pushes and " + pulls + " pulls");
        }
        if (has(ExchangeHeader.MARKER) && (flags != ExchangeHeader.MARKER || pushes + pulls > 0)) {
            throw SectionReader.malformed("a marker that carries more");
        }
        this.positions = countPositions(control);
    }

    private int countPositions(int control) {
        long count = 0;
        for (int i = 0; i < pushes; i++) {
            int own = ExchangeSection.explicitSequences(bytes, ExchangeHeader.section(i));
            count += own < 0 || !isExplicit() && own > 0 ? control : own; // more than there can be
        }
        if (ExchangeHeader.controlLength(sections(), count) > control) {
            throw SectionReader.malformed(count + " sequences");
        }
        return (int) count;
    }

    /**
     * Finds the rows of all sections. What is wrong with pulls alone is thrown. An entry, in
     * contrast, keeps its position in the log, whatever is wrong with its pushes and pulls.
     * Otherwise the entries behind it would wait for ever. It is refused in its turn.
     *
     * @param maxFrameBytes of the answer, and of what new lists of keys take
     * @throws PsException what is wrong with pulls; UNKNOWN_KEYS, which comes again with its keys
     */
    void bind(OwnerSession session, KeyCache cache, int maxFrameBytes) {
        try {
            checkWeight(ExchangeHeader.batchWeight(bytes), "mini-batch");
            RowSet[] found = new RowSet[pushes + pulls];
            pushed = new Push[pushes];
            encodings = new ValueEncoding[pulls];
            heapBytes = 0;
            rows = found;
            PullAnswer.Room room = new PullAnswer.Room(pulls, maxFrameBytes);
            SectionReader reader = new SectionReader(bytes, frame, session, cache, maxFrameBytes);
            try {
                reader.read(this, room);
            } finally {
                heapBytes = reader.heapBytes();
            }
            answerBytes = room.length();
        } catch (RuntimeException | Error e) {
            PsException known = KnownError.of(e);
            if (!hasEntry() || known.code() == ErrorCode.UNKNOWN_KEYS) {
                throw e;
            }
            refusal = known;
        }
    }

    /** Returns the bytes of the answer with all pulls; 0 if it has been refused. */
    long answerBytes() {
        return answerBytes;
    }

    static void checkWeight(double weight, String what) {
        if (!isWeight(weight)) {
            throw new PsException(ErrorCode.INVALID_ARGUMENT, "weight " + weight + " of a " + what);
        }
    }

    private static boolean isWeight(double weight) {
        return Double.isFinite(weight) && weight >= 0;
    }

    /** Takes the rows of the next section. */
    void bound(RowSet found) {
        found.retain();
        rows[bound++] = found;
    }

    /** Takes how the values of a pull are wanted, whose rows have been taken. */
    void encoded(int pull, ValueEncoding encoding) {
        encodings[pull] = encoding;
    }

    /** Takes a push, whose rows have been taken. */
    void pushed(int i, Push push) {
        pushed[i] = push;
    }

    int sections() {
        return pushes + pulls;
    }

    /**
     * Refuses it, if it has not been refused: it takes its position in the log all the same, and
     * the error is answered instead of its pulls.
     *
     * @param error null: none
     */
    void refuse(PsException error) {
        refusal = refusal == null ? error : refusal;
    }

    /** Returns why pushes and pulls have no effect, or null. */
    PsException refusal() {
        return refusal;
    }

    /** Refuses it if a table it names has been dropped since it was bound. */
    void refuseIfDropped(String model) {
        for (int i = 0; refusal == null && i < bound; i++) {
            OwnerTable table = rows[i].table();
            if (table.isDropped()) {
                refusal =
                        new PsException(
                                ErrorCode.UNKNOWN_TABLE,
                                "table '"
                                        + table.spec().name()
                                        + "' of model '"
                                        + model
                                        + "' is gone");
            }
        }
    }

    ByteBuf frame() {
        return frame;
    }

    /** Returns the bytes that the frame takes, with lists of keys and gradients decoded from it. */
    long bytes() {
        return frame.capacity() + heapBytes;
    }

    /** Returns whether it is an entry of the log: anything but pulls. */
    boolean hasEntry() {
        return pushes > 0 || (flags & ~ExchangeHeader.EXPLICIT_SEQUENCES) != 0;
    }

    boolean isExplicit() {
        return has(ExchangeHeader.EXPLICIT_SEQUENCES);
    }

    boolean has(int flag) {
        return (flags & flag) != 0;
    }

    int session() {
        return ExchangeHeader.session(bytes);
    }

    long sequence() {
        return ExchangeHeader.sequence(bytes);
    }

    /** Returns how many positions the pushes of a plain client take. */
    int positions() {
        return positions;
    }

    /**
     * Shows the first positions that the pushes of a plain client take, which are there whatever is
     * wrong with the pushes.
     *
     * @return how many were shown for which the visitor wanted the next one
     */
    int visitPositions(int most, PositionVisitor visitor) {
        int visited = 0;
        for (int i = 0; i < pushes; i++) {
            int section = ExchangeHeader.section(i);
            int table = ExchangeSection.table(bytes, section);
            int end = visited + ExchangeSection.explicitSequences(bytes, section);
            for (; visited < end; visited++) {
                int at = ExchangeHeader.explicitSequence(sections(), visited);
                if (visited == most
                        || !visitor.visit(
                                table,
                                ExplicitSequence.partition(bytes, at),
                                ExplicitSequence.sequence(bytes, at))) {
                    return visited;
                }
            }
        }
        return visited;
    }

    /** Shows the first of its positions, in the order of its sections. */
    void forEachPosition(int count, PositionConsumer consumer) {
        visitPositions(
                count,
                (table, partition, sequence) -> {
                    consumer.accept(table, partition, sequence);
                    return true;
                });
    }

    long clock() {
        return ExchangeHeader.clock(bytes);
    }

    long pullClock() {
        return ExchangeHeader.pullClock(bytes);
    }

    /** Returns the cut of a marker. */
    long cut() {
        return ExchangeHeader.cut(bytes);
    }

    /** Returns the newest cut that the sender of a marker knows to be complete, 0 for none. */
    long completeCut() {
        return ExchangeHeader.completeCut(bytes);
    }

    /**
     * Returns the sum of the row weights of the mini-batch which the clock ends; 0 where that is no
     * weight, for which the entry was refused.
     */
    double batchWeight() {
        double weight = ExchangeHeader.batchWeight(bytes);
        return isWeight(weight) ? weight : 0;
    }

    /** Returns the number of pushes that may take effect: none once it has been refused. */
    int pushes() {
        return refusal == null ? pushes : 0;
    }

    /** Returns the number of pushes it came with; bound unless it was refused before. */
    int pushSections() {
        return pushes;
    }

    Push push(int i) {
        return pushed[i];
    }

    int pulls() {
        return pulls;
    }

    /** Returns how the values of a pull are wanted. */
    ValueEncoding encoding(int i) {
        return encodings[i];
    }

    RowSet pull(int i) {
        return rows[pushes + i];
    }

    /**
     * Gives birth to the rows its pushes need; what cannot be had refuses all of them.
     *
     * @param clock of the round its pushes are for; counts under BSP only
     */
    void prepare(long clock) {
        for (int i = 0; refusal == null && i < pushes; i++) {
            try {
                pushed[i].rows().prepare(true, clock);
            } catch (RuntimeException | Error e) {
                refusal = KnownError.of(e);
            }
        }
    }

    LogEntry nextDeferred() {
        return nextDeferred;
    }

    void nextDeferred(LogEntry next) {
        nextDeferred = next;
    }

    /** Keeps the frame, and the rows it names, for another user. */
    void retain() {
        frame.retain();
        for (int i = 0; i < bound; i++) {
            rows[i].retain();
        }
    }

    /** Ends what {@link #retain} has begun, or what came with the frame. */
    void release() {
        frame.release();
        releaseRows();
    }

    /** Lets all go but the frame. */
    void releaseRows() {
        for (int i = 0; i < bound; i++) {
            rows[i].release();
        }
    }
}
