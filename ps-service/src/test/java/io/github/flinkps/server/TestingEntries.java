package io.github.flinkps.server;

import io.github.flinkps.codec.BatchLayout;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.ExchangeHeader;
import io.github.flinkps.protocol.ExchangeSection;
import io.github.flinkps.protocol.ExplicitSequence;
import io.github.flinkps.protocol.FrameHeader;
import io.github.flinkps.security.AccessRules;
import io.github.flinkps.transport.Connection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A model of one sparse table at one owner, and entries for it as they come off the wire: the
 * workers' pushes by hashes, clocks and flags. An entry is released once it has had its effect.
 */
final class TestingEntries {
    private final ByteBufAllocator allocator;
    private int[] tables = {1};
    private final OwnerModel model;
    private final KeyCache cache = new KeyCache(1 << 20);
    private final TableSpec spec;
    private final OwnerSession plainSession;

    /** A table whose key space is 64 bits, so that its hashes are mixed keys. */
    TestingEntries(
            TableSpec spec, ConsistencySpec consistency, int workers, ByteBufAllocator allocator) {
        this(spec, consistency, workers, allocator, ServerConfig.defaults());
    }

    TestingEntries(
            TableSpec spec,
            ConsistencySpec consistency,
            int workers,
            ByteBufAllocator allocator,
            ServerConfig config) {
        this.allocator = allocator;
        this.spec = spec;
        this.model = new OwnerModel("m", new OwnerModel.OwnerShare(0, 1, 0, 1), config);
        model.createTable(1, spec);
        begin(consistency, workers);
        plainSession = session(-1);
    }

    void begin(ConsistencySpec consistency, int workers) {
        model.beginAttempt(consistency, workers);
    }

    /** Sets the tables that each push goes to from now on; before, that is table 1. */
    void pushTo(int... ids) {
        tables = ids;
    }

    OwnerModel model() {
        return model;
    }

    ModelEffects effects() {
        return model.attempt().effects();
    }

    /** Pushes rows, whose keys are in the order of their hashes, without a clock. */
    LogEntry push(int worker, long[] keys, float[] gradients) {
        return apply(worker, 0, 0, 0, keys, gradients);
    }

    /** Pushes, and says that the worker ends. */
    LogEntry pushAndEnd(int worker, long[] keys, float[] gradients) {
        return apply(worker, ExchangeHeader.DEREGISTER, 0, 0, keys, gradients);
    }

    /** Ends a mini-batch of this weight. */
    LogEntry clock(int worker, long clock, double weight) {
        return apply(worker, ExchangeHeader.CLOCK, clock, weight, new long[0], new float[0]);
    }

    /** Forgets a table that has been dropped. */
    void forget(OwnerTable table) {
        cache.remove(table);
        plainSession.plainLog().forget(table);
    }

    /** Does something else. */
    LogEntry flag(int worker, int flags, long clock) {
        return apply(worker, flags, clock, 1, new long[0], new float[0]);
    }

    private LogEntry apply(
            int worker, int flags, long clock, double weight, long[] keys, float[] gradients) {
        LogEntry entry = new LogEntry(frame(flags, clock, weight, keys, gradients));
        entry.bind(session(worker), cache, Integer.MAX_VALUE);
        effects().apply(entry, worker);
        entry.release();
        return entry;
    }

    private OwnerSession session(int worker) {
        SessionOrder order =
                new SessionOrder(
                        "m",
                        new OwnerModel.OwnerShare(0, 1, 0, 1),
                        worker + 1,
                        worker < 0 ? 0 : 7,
                        worker,
                        1,
                        model.attempt().workers(),
                        ConsistencySpec.asp(),
                        new SessionAccess(AccessRules.none(), null, "m"),
                        false);
        return new OwnerSession(order, model, model.attempt());
    }

    /** Asks for a row as a worker would that stands at this clock. */
    void pull(Connection connection, int worker, long clock, long key) {
        ByteBuf frame = frame(0, 0, 0, new long[] {key}, new float[0]);
        ByteBuffer bytes = frame.nioBuffer(0, frame.writerIndex()).order(ByteOrder.LITTLE_ENDIAN);
        ExchangeHeader.putClocks(bytes, 0, clock, 0);
        ExchangeHeader.putSections(bytes, 0, 1);
        LogEntry entry = new LogEntry(frame);
        OwnerSession session = session(worker);
        entry.bind(session, cache, Integer.MAX_VALUE);
        model.handle(new ExchangeRequest(connection, session, entry, 0));
    }

    /** Returns a clock of a worker as an entry that stands at this place of its log. */
    ExchangeRequest clockAt(Connection connection, int worker, long sequence) {
        ByteBuf frame = frame(ExchangeHeader.CLOCK, 1, 1, new long[0], new float[0]);
        ByteBuffer bytes = frame.nioBuffer(0, frame.writerIndex()).order(ByteOrder.LITTLE_ENDIAN);
        ExchangeHeader.putEntry(bytes, 1, ExchangeHeader.CLOCK, sequence);
        LogEntry entry = new LogEntry(frame);
        OwnerSession session = session(worker);
        entry.bind(session, cache, Integer.MAX_VALUE);
        return new ExchangeRequest(connection, session, entry, 0);
    }

    /**
     * Lets a plain client push rows, whose keys are in the order of their hashes.
     *
     * @param sequences of the partitions, all of which are touched, in the logs of the client
     */
    void plainPush(Connection connection, float[] gradients, long[] keys, long... sequences) {
        ByteBuf frame = frame(ExchangeHeader.EXPLICIT_SEQUENCES, 0, 0, keys, gradients, sequences);
        LogEntry entry = new LogEntry(frame);
        ExchangeRequest request = new ExchangeRequest(connection, plainSession, entry, 0);
        try {
            entry.bind(plainSession, cache, Integer.MAX_VALUE);
            model.handle(request);
        } catch (PsException e) { // as a handler does
            request.fail(e);
        }
    }

    private ByteBuf frame(
            int flags,
            long clock,
            double weight,
            long[] keys,
            float[] gradients,
            long... sequences) {
        int pushes = keys.length == 0 ? 0 : tables.length;
        int control =
                (int)
                        ExchangeHeader.controlLength(
                                pushes, Math.multiplyExact(pushes, sequences.length));
        int at = FrameHeader.align(FrameHeader.BYTES + control);
        int keyBytes = BatchLayout.keys().encodedSize(keys.length);
        BatchLayout values = BatchLayout.values(spec.width());
        int valueBytes = values.encodedSize(keys.length);
        int bytes = pushes == 0 ? FrameHeader.BYTES + control : at + keyBytes + valueBytes;
        ByteBuf frame = allocator.directBuffer(bytes, bytes).setZero(0, bytes).writerIndex(bytes);
        FrameHeader.writeRequest(frame, ApiKey.EXCHANGE, control);
        ByteBuffer out = frame.nioBuffer(0, bytes).order(ByteOrder.LITTLE_ENDIAN);
        ExchangeHeader.putEntry(out, 1, flags, 0);
        ExchangeHeader.putClocks(out, clock, 0, weight);
        ExchangeHeader.putSections(out, pushes, 0);
        if (pushes > 0) {
            for (int push = 0; push < pushes; push++) {
                int section = ExchangeHeader.section(push);
                ExchangeSection.putTable(out, section, tables[push], ExchangeSection.KEYS, 0);
                ExchangeSection.putRows(out, section, Arrays.hashCode(keys), 0, 0, keys.length);
                ExchangeSection.putPush(out, section, 1, sequences.length);
                for (int i = 0; i < sequences.length; i++) {
                    int place = push * sequences.length + i;
                    ExplicitSequence.put(
                            out, ExchangeHeader.explicitSequence(pushes, place), i, sequences[i]);
                }
                ExchangeSection.putKeys(out, section, at, keyBytes);
                ExchangeSection.putValues(out, section, at + keyBytes, valueBytes);
            }
            BatchLayout.keys().writeMetadata(out, at, keys.length);
            int from = at + BatchLayout.keys().columnOffset(0, keys.length);
            for (int i = 0; i < keys.length; i++) {
                out.putLong(from + 8 * i, keys[i]);
            }
            values.writeMetadata(out, at + keyBytes, keys.length);
            from = at + keyBytes + values.columnOffset(0, keys.length);
            for (int i = 0; i < gradients.length; i++) {
                out.putFloat(from + 4 * i, gradients[i]);
            }
        }
        return frame;
    }
}
