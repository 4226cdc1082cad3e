package io.github.flinkps.server;

import io.github.flinkps.codec.BatchLayout;
import io.github.flinkps.codec.BatchView;
import io.github.flinkps.codec.CodecLimits;
import io.github.flinkps.codec.DeltaKeys;
import io.github.flinkps.codec.ValueEncoding;
import io.github.flinkps.codec.ValueFormat;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.ExchangeHeader;
import io.github.flinkps.protocol.ExchangeSection;
import io.github.flinkps.protocol.ExplicitSequence;
import io.github.flinkps.protocol.FrameBody;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;

/**
 * Finds the rows that the sections of an EXCHANGE name, and the gradients of its pushes; trusts
 * nothing that they claim. Confined to the owner thread.
 */
final class SectionReader {
    /** The least limit of new lists: where messages are small, keys may travel by few bits each. */
    private static final int LEAST_LIST_BYTES = 16 << 20;

    /** Memory that a key of a list takes, as an estimate. */
    private static final int KEY_BYTES = Long.BYTES + Integer.BYTES;

    private final ByteBuffer bytes;
    private final ByteBuf frame;
    private final OwnerSession session;
    private final KeyCache cache;
    private final int mostListBytes;
    private long listBytes;
    private long decodedBytes;

    /**
     * @param maxFrameBytes of a request, as many as lists that are not cached may take of the heap
     */
    SectionReader(
            ByteBuffer bytes,
            ByteBuf frame,
            OwnerSession session,
            KeyCache cache,
            int maxFrameBytes) {
        this.bytes = bytes;
        this.frame = frame;
        this.session = session;
        this.cache = cache;
        this.mostListBytes = Math.max(LEAST_LIST_BYTES, maxFrameBytes);
    }

    static PsException malformed(String what) {
        return new PsException(ErrorCode.MALFORMED, "malformed exchange: " + what);
    }

    /**
     * Gives an entry its rows and pushes.
     *
     * @param room for the answer
     * @throws PsException what is wrong with a section; those before it have been given
     */
    void read(LogEntry entry, PullAnswer.Room room) {
        int sequences = 0;
        for (int i = 0; i < entry.sections(); i++) {
            int at = ExchangeHeader.section(i);
            RowSet rows = rows(at);
            entry.bound(rows);
            if (i < entry.pushSections()) {
                int explicit = ExchangeSection.explicitSequences(bytes, at);
                checkSequences(rows, entry, sequences, explicit);
                entry.pushed(i, push(at, rows));
                sequences += explicit;
            } else {
                entry.encoded(i - entry.pushSections(), encoding(at));
                room.take(rows, encoding(at));
            }
        }
    }

    /** Returns the heap that lists of keys and decoded gradients take. */
    long heapBytes() {
        return listBytes + decodedBytes;
    }

    /** Takes room for a new list, before there are arrays: sections may share their coded keys. */
    private KeyArrays.Pair takeArrays(int count) {
        listBytes += (long) KEY_BYTES * count;
        if (listBytes > mostListBytes) {
            throw new PsException(
                    ErrorCode.TOO_LARGE,
                    "lists of keys that take at least "
                            + listBytes
                            + " bytes in one request, more than "
                            + mostListBytes
                            + ", which follows from max-frame-bytes");
        }
        return cache.arrays().take(count);
    }

    private RowSet rows(int at) {
        OwnerTable table = session.model().table(ExchangeSection.table(bytes, at));
        int count = ExchangeSection.rows(bytes, at);
        int addressing = ExchangeSection.addressing(bytes, at);
        RowSet rows =
                switch (addressing) {
                    case ExchangeSection.RANGE ->
                            RangeRows.of(
                                    table,
                                    ExchangeSection.firstKey(bytes, at),
                                    ExchangeSection.endKey(bytes, at));
                    case ExchangeSection.CACHED -> cached(table, at, count);
                    case ExchangeSection.KEYS -> keep(at, keys(table, at, count));
                    case ExchangeSection.DELTA -> keep(at, deltas(table, at, count));
                    default -> throw malformed("addressing " + addressing);
                };
        if (rows.count() != count) {
            throw malformed(count + " rows claimed, " + rows.count() + " found");
        }
        return rows;
    }

    private KeyRows cached(OwnerTable table, int at, int count) {
        KeyRows rows = cache.get(session.id(), table, ExchangeSection.signature(bytes, at));
        if (rows == null || rows.count() != count) {
            throw new PsException(
                    ErrorCode.UNKNOWN_KEYS, "a list of " + count + " keys is not cached");
        }
        return rows;
    }

    private KeyRows keep(int at, KeyRows rows) {
        return cache.put(session.id(), ExchangeSection.signature(bytes, at), rows);
    }

    private KeyRows keys(OwnerTable table, int at, int count) {
        BatchView view = keyMessage(BatchLayout.keys(), at);
        if (view.rows() != count) {
            throw malformed(count + " keys claimed, " + view.rows() + " found");
        }
        KeyArrays.Pair arrays = takeArrays(count);
        long[] keys = arrays.hashes();
        FrameBody.longs(bytes, view.keyOffset(), count).get(keys, 0, count);
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

    private KeyRows deltas(OwnerTable table, int at, int count) {
        BatchView view = keyMessage(BatchLayout.encodedKeys(), at);
        if (!table.spec().isSparse()) {
            throw malformed("coded keys for dense table '" + table.spec().name() + "'");
        }
        int shift = 64 - table.spec().keyBits();
        DeltaKeys.checkCount(count, view.keyBytes(), shift, CodecLimits.DEFAULT);
        KeyArrays.Pair arrays = takeArrays(count);
        DeltaKeys.decode(bytes, view.keyOffset(), view.keyBytes(), count, shift, arrays.hashes());
        return KeyRows.of(table, arrays, count, cache.arrays());
    }

    private BatchView keyMessage(BatchLayout layout, int at) {
        return message(
                layout,
                ExchangeSection.keysOffset(bytes, at),
                ExchangeSection.keysLength(bytes, at));
    }

    private BatchView message(BatchLayout layout, int offset, int length) {
        checkMessage(offset, length);
        return layout.read(bytes, offset, length);
    }

    private void checkMessage(int offset, int length) {
        if (!FrameBody.contains(bytes, offset, length)) {
            throw malformed("a message of " + length + " bytes at " + offset);
        }
    }

    private Push push(int at, RowSet rows) {
        OwnerTable table = rows.table();
        ValueEncoding encoding = encoding(at);
        ValueFormat format = table.format(encoding);
        int offset = ExchangeSection.valuesOffset(bytes, at);
        int length = ExchangeSection.valuesLength(bytes, at);
        checkMessage(offset, length);
        BatchView view = format.read(bytes, offset, length, rows.count());
        double weight = ExchangeSection.weight(bytes, at);
        LogEntry.checkWeight(weight, "push");
        int floats = rows.count() * format.width();
        if (encoding == ValueEncoding.FP32) {
            FloatBuffer gradients = FrameBody.floats(bytes, view.valueOffset(), floats);
            return new Push(rows, frame, gradients, weight);
        }
        decodedBytes += (long) Float.BYTES * floats;
        long growth = encoding == ValueEncoding.INT8 ? 4 : 2; // of their bytes
        if (decodedBytes > growth * frame.writerIndex()) {
            throw malformed("pushes that share their gradients");
        }
        float[] decoded = new float[floats];
        format.decode(bytes, view, rows.count(), decoded, 0);
        return new Push(rows, frame, FloatBuffer.wrap(decoded), weight);
    }

    private ValueEncoding encoding(int at) {
        return ValueEncoding.ofId(ExchangeSection.valueEncoding(bytes, at));
    }

    private void checkSequences(RowSet rows, LogEntry entry, int first, int count) {
        if (count != (entry.isExplicit() ? rows.slices() : 0)) {
            throw malformed(count + " sequences for " + rows.slices() + " partitions");
        }
        for (int slice = 0; slice < count; slice++) {
            int at = ExchangeHeader.explicitSequence(entry.sections(), first + slice);
            int partition = ExplicitSequence.partition(bytes, at);
            if (partition != rows.partitions[slice]) {
                throw malformed("a sequence for partition " + partition);
            }
        }
    }
}
