package io.github.flinkps.server;

import io.github.flinkps.codec.BatchLayout;
import io.github.flinkps.codec.BatchView;
import io.github.flinkps.codec.CodecException;
import io.github.flinkps.codec.CodecLimits;
import io.github.flinkps.codec.DeltaKeys;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.ExchangeLayout;
import io.github.flinkps.protocol.FrameHeader;
import io.github.flinkps.transport.Connection;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.function.Predicate;

/**
 * An EXCHANGE as it was received, read in place. Owns its frame until it is answered. Confined to
 * the owner thread.
 */
final class ExchangeRequest {
    private static final int BASE = FrameHeader.BYTES;

    private final Connection connection;
    private final ByteBuf frame;
    private final ByteBuffer bytes;
    private final int flags;
    private final int pushes;
    private final int pulls;
    private final int explicitAt;
    private final long arrived;
    private OwnerSession session;
    private RowSet[] sections;

    /** Sections whose rows are known and retained. */
    private int bound;

    private PsException refusal;
    private boolean released;
    private int held;
    private ExchangeRequest nextHeld;

    /**
     * One push of the request: rows, their gradients, weight and, explicit, where its sequences
     * stand.
     */
    record Push(RowSet rows, FloatBuffer gradients, double weight, int sequencesAt) {}

    private Push[] pushSections;

    /**
     * Reads the fixed part.
     *
     * @throws PsException MALFORMED; the frame stays the caller's
     */
    ExchangeRequest(Connection connection, ByteBuf frame, long arrived) {
        this.connection = connection;
        this.frame = frame;
        this.arrived = arrived;
        this.bytes = frame.nioBuffer(0, frame.writerIndex()).order(ByteOrder.LITTLE_ENDIAN);
        int control = FrameHeader.control(frame);
        if (control < ExchangeLayout.REQUEST_BYTES || control > frame.writerIndex() - BASE) {
            throw malformed("control part of " + control + " bytes");
        }
        this.flags = bytes.getInt(BASE + 4);
        this.pushes = bytes.getInt(BASE + 32);
        this.pulls = bytes.getInt(BASE + 36);
        long end =
                ExchangeLayout.REQUEST_BYTES
                        + ((long) pushes + pulls) * ExchangeLayout.SECTION_BYTES;
        if (pushes < 0 || pulls < 0 || end > control) {
            throw malformed(pushes + " pushes and " + pulls + " pulls");
        }
        this.explicitAt = BASE + (int) end;
        if (has(ExchangeLayout.MARKER) && (flags != ExchangeLayout.MARKER || pushes + pulls > 0)) {
            throw malformed("a marker that carries more");
        }
    }

    private static PsException malformed(String what) {
        return new PsException(ErrorCode.MALFORMED, "malformed exchange: " + what);
    }

    int sessionId() {
        return bytes.getInt(BASE);
    }

    /**
     * Finds the sections' rows. What is refused here is thrown; but an entry of a worker keeps its
     * place in the log, whatever is wrong with its pushes and pulls, so that those behind it do not
     * wait for ever: it is refused in its turn.
     */
    void bind(OwnerSession owner, KeyCache cache) {
        this.session = owner;
        try {
            bindSections(cache);
        } catch (RuntimeException | Error e) {
            PsException known = known(e);
            if (!hasEntry() || isExplicit() || known.code() == ErrorCode.UNKNOWN_KEYS) {
                throw e;
            }
            refusal = known;
        }
    }

    /** An error as it is answered. */
    static PsException known(Throwable e) {
        if (e instanceof PsException ps) {
            return ps;
        }
        ErrorCode code =
                e instanceof CodecException
                        ? ErrorCode.MALFORMED
                        : e instanceof IllegalArgumentException
                                ? ErrorCode.INVALID_ARGUMENT
                                : ErrorCode.INTERNAL;
        return new PsException(code, code == ErrorCode.INTERNAL ? e.toString() : e.getMessage(), e);
    }

    private void bindSections(KeyCache cache) {
        checkWeight(batchWeight(), "mini-batch");
        sections = new RowSet[pushes + pulls];
        pushSections = new Push[pushes];
        int sequences = explicitAt;
        for (int i = 0; i < sections.length; i++) {
            int at = BASE + ExchangeLayout.REQUEST_BYTES + i * ExchangeLayout.SECTION_BYTES;
            sections[i] = rows(at, cache);
            sections[i].retain();
            bound++;
            if (i < pushes) {
                int explicit = bytes.getInt(at + 36);
                pushSections[i] = push(at, sections[i], sequences, explicit);
                sequences += explicit * ExchangeLayout.EXPLICIT_BYTES;
            }
        }
    }

    /**
     * The first error of a request that is taken all the same; answered instead of its pulls.
     *
     * @param error null: none
     */
    void refuse(PsException error) {
        refusal = refusal == null ? error : refusal;
    }

    /** Why pushes and pulls have no effect, or null. */
    PsException refusal() {
        return refusal;
    }

    /** A table it names that {@code held} does not hold, or null. */
    OwnerTable missingTable(Predicate<OwnerTable> held) {
        for (RowSet rows : sections) {
            if (!held.test(rows.table())) {
                return rows.table();
            }
        }
        return null;
    }

    private RowSet rows(int at, KeyCache cache) {
        OwnerTable table = session.model().table(bytes.getInt(at));
        int count = bytes.getInt(at + 32);
        long word = bytes.getLong(at + 8);
        RowSet rows =
                switch (bytes.get(at + 4)) {
                    case ExchangeLayout.RANGE -> RangeRows.of(table, word, bytes.getLong(at + 16));
                    case ExchangeLayout.CACHED -> cached(cache, table, word, count);
                    case ExchangeLayout.KEYS -> keep(cache, word, keys(cache, table, at, count));
                    case ExchangeLayout.DELTA -> keep(cache, word, deltas(cache, table, at, count));
                    default -> throw malformed("addressing " + bytes.get(at + 4));
                };
        if (rows.count() != count) {
            throw malformed(count + " rows claimed, " + rows.count() + " found");
        }
        return rows;
    }

    private static KeyRows cached(KeyCache cache, OwnerTable table, long signature, int count) {
        KeyRows rows = cache.get(table, signature, count);
        if (rows == null) {
            throw new PsException(
                    ErrorCode.UNKNOWN_KEYS, "a list of " + count + " keys is not cached");
        }
        return rows;
    }

    private static KeyRows keep(KeyCache cache, long signature, KeyRows rows) {
        cache.put(signature, rows);
        return rows;
    }

    private KeyRows keys(KeyCache cache, OwnerTable table, int at, int count) {
        BatchView view = read(BatchLayout.keys(), at + 40);
        if (view.rows() != count) {
            throw malformed(count + " keys claimed, " + view.rows() + " found");
        }
        KeyArrays.Pair arrays = cache.arrays().take(count);
        long[] keys = arrays.hashes();
        bytes.slice(view.keyOffset(), count * Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .asLongBuffer()
                .get(keys, 0, count);
        if (table.spec().isSparse()) {
            for (int i = 0; i < count; i++) {
                if (!table.hash().contains(keys[i])) {
                    throw new PsException(
                            ErrorCode.KEY_OUT_OF_RANGE,
                            "key "
                                    + keys[i]
                                    + " is beyond the key-bits of table '"
                                    + table.spec().name()
                                    + "'");
                }
            }
            KeyRows.hash(table.hash(), keys, count);
        }
        return KeyRows.of(table, arrays, count, cache.arrays());
    }

    private KeyRows deltas(KeyCache cache, OwnerTable table, int at, int count) {
        BatchView view = read(BatchLayout.encodedKeys(), at + 40);
        if (!table.spec().isSparse()) {
            throw malformed("coded keys for dense table '" + table.spec().name() + "'");
        }
        int shift = 64 - table.spec().keyBits();
        DeltaKeys.checkCount(count, view.keyBytes(), shift, CodecLimits.DEFAULT);
        KeyArrays.Pair arrays = cache.arrays().take(count);
        DeltaKeys.decode(bytes, view.keyOffset(), view.keyBytes(), count, shift, arrays.hashes());
        return KeyRows.of(table, arrays, count, cache.arrays());
    }

    private BatchView read(BatchLayout layout, int place) {
        int offset = bytes.getInt(place);
        int length = bytes.getInt(place + 4);
        if (offset < BASE || length < 0 || (long) offset + length > bytes.limit()) {
            throw malformed("a message of " + length + " bytes at " + offset);
        }
        return layout.read(bytes, offset, length);
    }

    private Push push(int at, RowSet rows, int sequences, int explicit) {
        OwnerTable table = rows.table();
        if (bytes.get(at + 5) != 0) {
            throw malformed("value encoding " + bytes.get(at + 5));
        }
        BatchView view = read(table.values(), at + 48);
        if (view.rows() != rows.count()) {
            throw malformed(view.rows() + " rows of gradients for " + rows.count() + " rows");
        }
        int wanted = isExplicit() ? rows.slices() : 0;
        if (explicit != wanted
                || sequences + (long) explicit * ExchangeLayout.EXPLICIT_BYTES
                        > BASE + FrameHeader.control(frame)) {
            throw malformed(explicit + " sequences for " + rows.slices() + " partitions");
        }
        for (int slice = 0; slice < explicit; slice++) {
            int place = sequences + slice * ExchangeLayout.EXPLICIT_BYTES;
            if (bytes.getInt(place) != rows.partitions[slice]) {
                throw malformed("a sequence for partition " + bytes.getInt(place));
            }
        }
        double weight = bytes.getDouble(at + 24);
        checkWeight(weight, "push");
        int floats = rows.count() * table.spec().width();
        FloatBuffer gradients =
                bytes.slice(view.valueOffset(), floats * Float.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .asFloatBuffer();
        return new Push(rows, gradients, weight, sequences);
    }

    private static void checkWeight(double weight, String what) {
        if (!Double.isFinite(weight) || weight < 0) {
            throw new PsException(ErrorCode.INVALID_ARGUMENT, "weight " + weight + " of a " + what);
        }
    }

    OwnerSession session() {
        return session;
    }

    ByteBuf frame() {
        return frame;
    }

    /** Whether it carries an entry of the log: anything but pulls. */
    boolean hasEntry() {
        return pushes > 0 || (flags & ~ExchangeLayout.EXPLICIT_SEQUENCES) != 0;
    }

    boolean isExplicit() {
        return (flags & ExchangeLayout.EXPLICIT_SEQUENCES) != 0;
    }

    boolean has(int flag) {
        return (flags & flag) != 0;
    }

    long sequence() {
        return bytes.getLong(BASE + 8);
    }

    /** The sequence of a slice of an explicit push. */
    long sequence(Push push, int slice) {
        return bytes.getLong(push.sequencesAt() + slice * ExchangeLayout.EXPLICIT_BYTES + 4);
    }

    long clock() {
        return bytes.getLong(BASE + 16);
    }

    /** The cut of a marker. */
    long cut() {
        return bytes.getLong(BASE + 24);
    }

    /** The newest cut that the sender of a marker knows to be complete, 0 for none. */
    long completeCut() {
        return bytes.getLong(BASE + 16);
    }

    /** Sum of the row weights of the mini-batch which the clock ends. */
    double batchWeight() {
        return bytes.getDouble(BASE + 40);
    }

    long pullClock() {
        return bytes.getLong(BASE + 24);
    }

    /** Pushes that may take effect: none once the request has been refused. */
    int pushes() {
        return refusal == null ? pushes : 0;
    }

    /** Pushes it came with; bound unless it was refused before. */
    int pushSections() {
        return pushes;
    }

    Push push(int i) {
        return pushSections[i];
    }

    /** What a push does to the partition of a slice. */
    Contribution contribution(Push push, int slice) {
        return new Contribution(push.rows(), slice, frame, push.gradients(), push.weight());
    }

    int pulls() {
        return pulls;
    }

    RowSet pull(int i) {
        return sections[pushes + i];
    }

    /** When the client gives up, on the loop's clock. */
    long deadline() {
        return arrived + Math.max(1, FrameHeader.word(frame)) * 1_000_000L;
    }

    /** Whether every partition pulled from allows it. */
    boolean ready() {
        return laggingLog() == null;
    }

    /** A log that does not allow its pull yet, or null. */
    PartitionLog laggingLog() {
        for (int i = pushes; i < sections.length; i++) {
            for (int slice = 0; slice < sections[i].slices(); slice++) {
                PartitionLog log = sections[i].log(slice);
                if (!log.ready(session.worker(), pullClock())) {
                    return log;
                }
            }
        }
        return null;
    }

    /** Gives birth to the rows its pushes need; what cannot be had refuses all of them. */
    void prepare() {
        for (int i = 0; refusal == null && i < pushes; i++) {
            try {
                push(i).rows().prepare(true);
            } catch (RuntimeException | Error e) {
                refuse(known(e));
            }
        }
    }

    /** Answers with what is pulled, and releases the frame. */
    void answer() {
        for (int i = 0; i < pulls; i++) {
            pull(i).prepare(false);
        }
        ByteBuf response = encode();
        connection.send(response);
        release();
    }

    private ByteBuf encode() {
        int control = ExchangeLayout.RESPONSE_BYTES + pulls * ExchangeLayout.RESPONSE_SECTION_BYTES;
        int first = FrameHeader.align(BASE + control);
        long total = first;
        for (int i = 0; i < pulls; i++) {
            total += pull(i).table().values().encodedSize(pull(i).count());
        }
        if (pulls == 0) {
            total = (long) BASE + control;
        } else if (total > Integer.MAX_VALUE) {
            throw new PsException(
                    ErrorCode.TOO_LARGE, "a pull of " + total + " bytes in one request");
        }
        ByteBuf response = connection.allocator().directBuffer((int) total, (int) total);
        try {
            response.writerIndex((int) total);
            FrameHeader.write(
                    response,
                    ApiKey.EXCHANGE,
                    FrameHeader.FLAG_RESPONSE,
                    FrameHeader.correlation(frame),
                    0,
                    control);
            response.setIntLE(BASE, pulls).setIntLE(BASE + 4, 0);
            response.setLongLE(BASE + 8, session.model().lowestClock());
            ByteBuffer out = response.nioBuffer(0, (int) total).order(ByteOrder.LITTLE_ENDIAN);
            int at = first;
            for (int i = 0; i < pulls; i++) {
                at += encodePull(out, i, at);
            }
            return response;
        } catch (RuntimeException | Error e) {
            response.release();
            throw e;
        }
    }

    private int encodePull(ByteBuffer out, int index, int at) {
        RowSet rows = pull(index);
        BatchLayout layout = rows.table().values();
        int length = layout.encodedSize(rows.count());
        int place =
                BASE
                        + ExchangeLayout.RESPONSE_BYTES
                        + index * ExchangeLayout.RESPONSE_SECTION_BYTES;
        out.putInt(place, rows.table().id());
        out.putInt(place + 4, rows.count());
        out.putInt(place + 8, at);
        out.putInt(place + 12, length);
        layout.writeMetadata(out, at, rows.count());
        int floats = rows.count() * layout.width();
        FloatBuffer values =
                out.slice(at + layout.columnOffset(0, rows.count()), floats * Float.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .asFloatBuffer();
        for (int slice = 0; slice < rows.slices(); slice++) {
            rows.gather(slice, rows.log(slice).partition(), values);
        }
        return length;
    }

    /**
     * Answers with an error, and releases the frame; nothing if that has been done. Throws nothing.
     */
    void fail(PsException error) {
        if (released) {
            return;
        }
        try {
            ErrorAnswer.send(
                    connection,
                    ApiKey.EXCHANGE.id(),
                    FrameHeader.correlation(frame),
                    error.code(),
                    error.getMessage());
        } finally {
            release();
        }
    }

    /**
     * It will wait for others: what a connection has waiting is limited, but one may always.
     *
     * @throws PsException THROTTLED
     */
    void hold(long inFlightBytes) {
        if (held > 0) {
            return;
        }
        int own = frame.readableBytes();
        long all = connection.hold(own);
        if (all > inFlightBytes && all > own) {
            connection.hold(-own);
            throw new PsException(
                    ErrorCode.THROTTLED,
                    "requests of more than " + inFlightBytes + " bytes wait on this connection");
        }
        held = own;
    }

    void release() {
        if (!released) {
            released = true;
            connection.hold(-held);
            letGo();
        }
    }

    /** Whether it is over: answered, or abandoned. */
    boolean isOver() {
        return released;
    }

    /**
     * Lets all go but the frame: another answers.
     *
     * @return false, and it does nothing, if it has been answered
     */
    boolean abandon() {
        if (released) {
            return false;
        }
        released = true;
        connection.hold(-held);
        releaseRows();
        return true;
    }

    /** The next of {@link HeldEntries}, if this is one, or null. */
    ExchangeRequest nextHeld() {
        return nextHeld;
    }

    void nextHeld(ExchangeRequest next) {
        nextHeld = next;
    }

    /** Keeps the frame, and the rows it names, beyond the answer. */
    void retain() {
        frame.retain();
        for (int i = 0; i < bound; i++) {
            sections[i].retain();
        }
    }

    /** Ends what {@link #retain} has begun. */
    void letGo() {
        frame.release();
        releaseRows();
    }

    private void releaseRows() {
        for (int i = 0; i < bound; i++) {
            sections[i].release();
        }
    }
}
