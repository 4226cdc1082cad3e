package io.github.flinkps.transport;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.ChunkHeader;
import io.github.flinkps.protocol.FrameHeader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.collection.LongObjectHashMap;
import java.util.function.Consumer;

/**
 * Turns a stream of bytes into frames, each in one contiguous direct buffer. Where more than a
 * little of a frame is still to come, {@link #target} offers the rest of its buffer, so that the
 * socket is read straight into it. After a large frame another is expected, and its header is read
 * alone. A buffer grows with what has arrived: what a peer announces alone takes no memory.
 * Confined to one loop.
 */
final class FrameAssembler {
    private static final int DIRECT_READ_BYTES = 16 * 1024;

    /** The most room that a frame has at first, before anything but its header has arrived. */
    private static final int FIRST_BYTES = 64 * 1024;

    /**
     * A buffer's sizes are the frame's length divided by powers of this. So what is copied in all
     * is a third of the frame at most.
     */
    private static final int GROWTH = 4;

    private final ByteBufAllocator allocator;
    private final AssemblyRoom.Share share;
    private final Consumer<ByteBuf> frames;
    private final ByteBuf header;
    private final LongObjectHashMap<ByteBuf> open = new LongObjectHashMap<>();
    private int maxFrameBytes;
    private String limit = FrameHeader.MOST_BY_OPTION;

    private ByteBuf filling;
    private long fillingKey;
    private int left;

    /** Memory of frames that are not whole yet. */
    private long unfinished;

    /** Memory of whole frames that nobody has taken yet. */
    private long waiting;

    /**
     * The bytes that {@link #share} has counted so far of {@link #unfinished}, {@link #waiting} and
     * {@link #record}.
     */
    private long counted;

    /** True if a frame has come to its end since it was counted. */
    private boolean progressed;

    /** Memory of a part of a record of TLS, in which more of a frame may be. */
    private int record;

    private long arrived;
    private boolean chunk;
    private boolean expectLarge;
    private boolean turnOver;

    FrameAssembler(
            ByteBufAllocator allocator,
            int maxFrameBytes,
            AssemblyRoom.Share share,
            Consumer<ByteBuf> frames) {
        this.allocator = allocator;
        this.share = share;
        this.maxFrameBytes = maxFrameBytes;
        this.frames = frames;
        this.header = allocator.directBuffer(FrameHeader.BYTES, FrameHeader.BYTES);
    }

    void limitFrames(int maxBytes, String limit) {
        this.maxFrameBytes = maxBytes;
        this.limit = limit;
    }

    /**
     * Returns a retained slice that the next bytes of the stream may be read into, to be given to
     * {@link #accept}; or null.
     */
    ByteBuf target() {
        if (filling == null && expectLarge) {
            return header.retainedSlice(header.writerIndex(), header.writableBytes())
                    .writerIndex(0);
        }
        if (filling == null || left < DIRECT_READ_BYTES) {
            return null;
        }
        makeRoom(filling);
        int room = Math.min(left, filling.writableBytes());
        return filling.retainedSlice(filling.writerIndex(), room).writerIndex(0);
    }

    /** Begins a turn: no frame, nor a piece of one, has come to its end in it yet. */
    void beginTurn() {
        turnOver = false;
    }

    /** Returns whether a frame, or a piece of one, has come to its end since the turn began. */
    boolean isTurnOver() {
        return turnOver;
    }

    /** Returns how many bytes have arrived, those of TLS once more. */
    long arrived() {
        return arrived;
    }

    /** Returns whether a part of a frame has arrived, and the rest is still to come. */
    boolean isUnfinished() {
        return filling != null || header.writerIndex() > 0 || !open.isEmpty() || record > 0;
    }

    /**
     * Tells of bytes of TLS, of which the frames' bytes are yet to come.
     *
     * @param bytes how many have arrived
     * @param begun memory of the record that has begun with them and is not whole, or 0
     */
    void beneath(int bytes, int begun) {
        arrived += bytes;
        record = begun;
    }

    /** Takes the next bytes of the stream; releases {@code data}. */
    void accept(ByteBuf data) {
        arrived += data.readableBytes();
        try {
            while (data.isReadable()) {
                if (filling == null) {
                    fill(header, data, header.writableBytes());
                    if (header.isWritable()) {
                        return;
                    }
                    begin();
                } else {
                    makeRoom(filling);
                    left -= fill(filling, data, Math.min(left, filling.writableBytes()));
                }
                if (left == 0) {
                    finish();
                }
            }
        } finally {
            data.release();
            count();
        }
    }

    /** Counts a whole frame that has to wait, until it is handed on. */
    void keepWaiting(ByteBuf frame) {
        waiting += frame.capacity();
    }

    /** Counts a frame that has waited no longer; call {@link #count} after the last of them. */
    void handOn(ByteBuf frame) {
        waiting -= frame.capacity();
    }

    /** Counts what is unfinished, or waits, at the end of a read: most frames never do. */
    void count() {
        long now = unfinished + waiting + record;
        if (now != counted || progressed && now > 0) {
            boolean frameEnded = progressed;
            counted = now;
            progressed = false;
            share.occupy(now, frameEnded);
        }
    }

    /** Takes at most {@code most} bytes, which may stand in their place already. */
    private static int fill(ByteBuf into, ByteBuf data, int most) {
        int bytes = Math.min(most, data.readableBytes());
        int at = into.writerIndex();
        if (data.hasMemoryAddress()
                && data.memoryAddress() + data.readerIndex() == into.memoryAddress() + at) {
            into.writerIndex(at + bytes);
            data.skipBytes(bytes);
        } else {
            into.writeBytes(data, bytes);
        }
        return bytes;
    }

    private void begin() {
        int length = FrameHeader.length(header);
        if (length < FrameHeader.BYTES) {
            throw new PsException(ErrorCode.MALFORMED, "frame of " + length + " bytes");
        }
        chunk = FrameHeader.api(header) == ApiKey.CHUNK.id();
        expectLarge = length >= DIRECT_READ_BYTES;
        if (chunk) {
            beginChunk(length - FrameHeader.BYTES);
        } else {
            filling = allocate(length);
            filling.writeBytes(header, 0, FrameHeader.BYTES);
            left = length - FrameHeader.BYTES;
        }
        header.clear();
    }

    private void beginChunk(int bytes) {
        int offset = ChunkHeader.offset(header);
        int total = ChunkHeader.wholeLength(header);
        fillingKey =
                FrameHeader.correlation(header) << 1 | (FrameHeader.isResponse(header) ? 1 : 0);
        ByteBuf frame = open.get(fillingKey);
        if (frame == null) {
            if (offset != 0
                    || total < FrameHeader.BYTES
                    || !ChunkHeader.mayBegin(open.values(), ByteBuf::maxCapacity, total)) {
                throw new PsException(
                        ErrorCode.MALFORMED, "chunk at " + offset + " of " + total + " bytes");
            }
            frame = allocate(total);
            open.put(fillingKey, frame);
        }
        if (bytes < 1 || frame.writerIndex() != offset || bytes > frame.maxWritableBytes()) {
            throw new PsException(ErrorCode.MALFORMED, "chunk of " + bytes + " bytes at " + offset);
        }
        filling = frame;
        left = bytes;
    }

    private ByteBuf allocate(int length) {
        if (length > maxFrameBytes) {
            throw new PsException(
                    ErrorCode.TOO_LARGE,
                    "frame of " + length + " bytes, more than " + limit + " " + maxFrameBytes);
        }
        int room = length;
        while (room > FIRST_BYTES) {
            room = (room + GROWTH - 1) / GROWTH;
        }
        ByteBuf frame = allocator.directBuffer(room, length);
        unfinished += frame.capacity();
        return frame;
    }

    private void makeRoom(ByteBuf frame) {
        if (!frame.isWritable()) {
            int before = frame.capacity();
            frame.capacity((int) Math.min(frame.maxCapacity(), (long) GROWTH * before));
            unfinished += frame.capacity() - before;
        }
    }

    private void finish() {
        turnOver = true;
        ByteBuf frame = filling;
        filling = null;
        if (chunk) {
            if (frame.maxWritableBytes() > 0) {
                return;
            }
            open.remove(fillingKey);
        }
        unfinished -= frame.capacity();
        progressed = true;
        if (chunk && FrameHeader.length(frame) != frame.writerIndex()) {
            frame.release();
            throw new PsException(ErrorCode.MALFORMED, "chunks do not make the frame they carry");
        }
        frames.accept(frame);
    }

    /** Releases what is unfinished; nothing is to be taken after it. */
    void close() {
        if (filling != null && !chunk) {
            filling.release();
        }
        filling = null;
        expectLarge = false;
        open.values().forEach(ByteBuf::release);
        open.clear();
        if (header.refCnt() > 0) {
            header.release();
        }
        unfinished = 0;
        waiting = 0;
        record = 0;
        count();
    }
}
