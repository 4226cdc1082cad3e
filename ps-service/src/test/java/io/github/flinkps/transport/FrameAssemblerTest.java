package io.github.flinkps.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.ChunkHeader;
import io.github.flinkps.protocol.FrameHeader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class FrameAssemblerTest {
    private static final int LIMIT = 1 << 20;

    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final List<byte[]> frames = new ArrayList<>();
    private AssemblyRoom room = room(Long.MAX_VALUE);
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @AfterEach
    void everythingIsReleased() {
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    private static AssemblyRoom room(long mostAssembled) {
        return new AssemblyRoom(mostAssembled, Duration.ofSeconds(1), () -> 0);
    }

    private FrameAssembler assembler() {
        return assembler(LIMIT);
    }

    private FrameAssembler assembler(int limit) {
        AssemblyRoom.Share share = room.share("10.0.0.1", () -> {});
        share.client(null);
        return new FrameAssembler(
                allocator,
                limit,
                share,
                frame -> {
                    assertThat(frame.isDirect()).isTrue();
                    frames.add(ByteBufUtil.getBytes(frame));
                    frame.release();
                });
    }

    private byte[] frame(long correlation, int body) {
        ByteBuf frame = allocator.directBuffer(FrameHeader.BYTES + body);
        frame.writerIndex(FrameHeader.BYTES);
        byte[] bytes = new byte[body];
        random.nextBytes(bytes);
        frame.writeBytes(bytes);
        FrameHeader.writeRequest(frame, ApiKey.EXCHANGE, 0);
        FrameHeader.setCorrelation(frame, correlation);
        byte[] all = ByteBufUtil.getBytes(frame);
        frame.release();
        return all;
    }

    /** Returns the header of a frame of any length. */
    private ByteBuf header(long correlation, int length) {
        ByteBuf header = allocator.directBuffer(FrameHeader.BYTES).writerIndex(FrameHeader.BYTES);
        FrameHeader.writeRequest(header, ApiKey.EXCHANGE, 0);
        FrameHeader.setCorrelation(header, correlation);
        return header.setIntLE(0, length);
    }

    /** Returns the header of a chunk of a frame of any length. */
    private ByteBuf chunkHeader(long correlation, int length, int from, int bytes) {
        ByteBuf head = allocator.directBuffer(FrameHeader.BYTES).writerIndex(FrameHeader.BYTES);
        ByteBuf whole = header(correlation, length);
        ChunkHeader.write(head, whole, from, bytes);
        whole.release();
        return head;
    }

    private byte[] chunk(byte[] frame, long correlation, int from, int to) {
        ByteBuf head = chunkHeader(correlation, frame.length, from, to - from);
        head.writeBytes(frame, from, to - from);
        byte[] all = ByteBufUtil.getBytes(head);
        head.release();
        return all;
    }

    private void accept(FrameAssembler assembler, byte[] bytes, int from, int to) {
        ByteBuf target = assembler.target();
        if (target != null && random.nextBoolean()) {
            // As the socket does: straight into the frame, as far as it goes.
            int most = Math.min(target.writableBytes(), to - from);
            target.writeBytes(bytes, from, most);
            assembler.accept(target);
            if (from + most < to) {
                accept(assembler, bytes, from + most, to);
            }
            return;
        }
        if (target != null) {
            target.release();
        }
        assembler.accept(allocator.directBuffer().writeBytes(bytes, from, to - from));
    }

    @Test
    void everyCutOfAStreamGivesTheSameFrames() {
        System.out.println("seed " + seed);
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        List<byte[]> expected = new ArrayList<>();
        for (int body : new int[] {0, 1, 5, 40, 0, 300}) {
            byte[] frame = frame(expected.size() + 1, body);
            expected.add(frame);
            stream.writeBytes(frame);
        }
        byte[] bytes = stream.toByteArray();
        for (int cut = 0; cut <= bytes.length; cut++) {
            frames.clear();
            FrameAssembler assembler = assembler();
            accept(assembler, bytes, 0, cut);
            accept(assembler, bytes, cut, bytes.length);
            assembler.close();
            assertThat(frames).containsExactlyElementsOf(expected);
        }
    }

    /** Each connection may begin one; what ends or closes makes room. */
    @Test
    void framesOfAllConnectionsThatHaveBegunTakeSoMuchMemoryAtMost() {
        room = room(100_000);
        byte[] large = frame(1, 60_000);
        FrameAssembler first = assembler();
        FrameAssembler second = assembler();
        accept(first, large, 0, 50_000);
        assertThatThrownBy(() -> accept(second, large, 0, 50_000))
                .isInstanceOfSatisfying(
                        PsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.THROTTLED))
                .hasMessageContaining("assembly-bytes");
        second.close();
        accept(first, large, 50_000, large.length);
        assertThat(frames).hasSize(1);
        for (int times = 0; times < 10; times++) {
            FrameAssembler next = assembler();
            accept(next, large, 0, 50_000);
            next.close();
        }
        byte[] alone = frame(2, 200_000);
        accept(first, alone, 0, 150_000);
        accept(first, alone, 150_000, alone.length);
        assertThat(frames).as("one may always be").hasSize(2);
        first.close();
    }

    @Test
    void chunksOfSeveralFramesTakeTurns() {
        System.out.println("seed " + seed);
        for (int run = 0; run < 20; run++) {
            frames.clear();
            byte[][] large = new byte[ChunkHeader.MAX_CHUNKED_FRAMES][];
            int[] sent = new int[large.length];
            for (int i = 0; i < large.length; i++) {
                large[i] = frame(100 + i, 1 + random.nextInt(90_000));
            }
            ByteArrayOutputStream stream = new ByteArrayOutputStream();
            int small = 0;
            for (int left = large.length; left > 0; ) {
                int i = random.nextInt(large.length);
                if (sent[i] < large[i].length) {
                    int to = Math.min(large[i].length, sent[i] + 1 + random.nextInt(30_000));
                    stream.writeBytes(chunk(large[i], 100 + i, sent[i], to));
                    sent[i] = to;
                    left -= to == large[i].length ? 1 : 0;
                } else if (small < 10) {
                    stream.writeBytes(frame(++small, random.nextInt(50)));
                }
            }
            byte[] bytes = stream.toByteArray();
            FrameAssembler assembler = assembler();
            for (int from = 0; from < bytes.length; ) {
                int to = Math.min(bytes.length, from + 1 + random.nextInt(60_000));
                accept(assembler, bytes, from, to);
                from = to;
            }
            assembler.close();
            assertThat(frames).hasSize(large.length + small).contains(large);
        }
    }

    /** Frames that outgrow their first room, in chunks that take turns and in one piece. */
    @Test
    void largeFramesGrowAsTheyArrive() {
        System.out.println("seed " + seed);
        byte[][] large = {frame(1, 9 << 20), frame(2, 3 << 20), frame(3, 12 << 20)};
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        int piece = ChunkHeader.CHUNK_BYTES - FrameHeader.BYTES;
        for (int from = 0; from < large[0].length; from += piece) {
            for (int i = 0; i < 2; i++) {
                if (from < large[i].length) {
                    int to = Math.min(large[i].length, from + piece);
                    stream.writeBytes(chunk(large[i], i + 1, from, to));
                }
            }
        }
        stream.writeBytes(large[2]);
        byte[] bytes = stream.toByteArray();
        FrameAssembler assembler = assembler(16 << 20);
        for (int from = 0; from < bytes.length; ) {
            int to = Math.min(bytes.length, from + 1 + random.nextInt(500_000));
            accept(assembler, bytes, from, to);
            from = to;
        }
        assembler.close();
        assertThat(frames).containsExactly(large[1], large[0], large[2]);
    }

    @Test
    void whatIsAnnouncedTakesNoMemoryBeforeItArrives() {
        int announced = 200 << 20;
        FrameAssembler assembler = assembler(256 << 20);
        int beside = (16 << 20) / (ChunkHeader.MAX_CHUNKED_FRAMES - 1);
        for (int i = 0; i < ChunkHeader.MAX_CHUNKED_FRAMES; i++) {
            int length = i == 3 ? announced : beside;
            assembler.accept(chunkHeader(100 + i, length, 0, 1).writeByte(1));
        }
        assembler.accept(header(99, announced));
        assertThat(allocator.metric().usedDirectMemory()).isLessThan(2 << 20);
        assembler.close();
    }

    /** A buffer has four times the room of what has arrived at most, beyond its first room. */
    @Test
    void memoryGrowsWithWhatArrives() {
        byte[] large = frame(1, 5_000_000);
        int limit = 8 << 20;
        FrameAssembler assembler = assembler(limit);
        long before = allocator.metric().usedDirectMemory();
        for (int from = 0; from < large.length; ) {
            int to = Math.min(large.length, from + 10_000);
            accept(assembler, large, from, to);
            from = to;
            assertThat(allocator.metric().usedDirectMemory() - before)
                    .isLessThan(Math.max(64 * 1024, 4L * to) + 1);
        }
        assertThat(frames).containsExactly(large);
        assembler.close();
    }

    private void refused(ErrorCode code, byte[]... stream) {
        FrameAssembler assembler = assembler();
        assertThatThrownBy(
                        () -> {
                            for (byte[] bytes : stream) {
                                assembler.accept(allocator.directBuffer().writeBytes(bytes));
                            }
                        })
                .isInstanceOfSatisfying(
                        PsException.class, e -> assertThat(e.code()).isEqualTo(code));
        assembler.close();
        assembler.close();
    }

    private static byte[] with(byte[] frame, int at, int value) {
        byte[] changed = frame.clone();
        for (int i = 0; i < 4; i++) {
            changed[at + i] = (byte) (value >>> (8 * i));
        }
        return changed;
    }

    @Test
    void damagedHeadersAreRefusedBeforeAnythingIsAllocatedForThem() {
        byte[] frame = frame(1, 100);
        refused(ErrorCode.MALFORMED, with(frame, 0, 31));
        refused(ErrorCode.MALFORMED, with(frame, 0, -1));
        refused(ErrorCode.TOO_LARGE, with(frame, 0, LIMIT + 1));
        byte[] chunk = chunk(frame, 1, 0, 50);
        refused(ErrorCode.MALFORMED, with(chunk, 16, 7)); // begins in the middle
        refused(ErrorCode.MALFORMED, with(chunk, 20, 3)); // a frame shorter than a header
        refused(ErrorCode.TOO_LARGE, with(chunk, 20, LIMIT + 1));
        refused(ErrorCode.MALFORMED, chunk, chunk); // the same piece twice
        refused(ErrorCode.MALFORMED, with(chunk, 20, 40)); // longer than its frame
        byte[] lying = with(frame, 0, 99);
        refused(ErrorCode.MALFORMED, chunk(lying, 1, 0, 132)); // the frame claims another length
        byte[][] many = new byte[ChunkHeader.MAX_CHUNKED_FRAMES + 1][];
        for (int i = 0; i < many.length; i++) {
            many[i] = chunk(frame, i, 0, 50);
        }
        refused(ErrorCode.MALFORMED, many);
    }

    /** So a connection takes memory for little more than one frame. */
    @Test
    void allButTheLargestFrameThatTravelInChunksAreBounded() {
        FrameAssembler assembler = assembler(256 << 20);
        assembler.accept(chunkHeader(1, 16 << 20, 0, 1).writeByte(1));
        assembler.accept(chunkHeader(2, 200 << 20, 0, 1).writeByte(1));
        ByteBuf third = chunkHeader(3, 1000, 0, 1).writeByte(1);
        assertThatThrownBy(() -> assembler.accept(third))
                .isInstanceOfSatisfying(
                        PsException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED));
        assembler.close();
    }

    @Test
    void whatIsUnfinishedIsReleasedAtTheEnd() {
        FrameAssembler assembler = assembler();
        byte[] frame = frame(1, 100_000);
        assembler.accept(allocator.directBuffer().writeBytes(chunk(frame, 1, 0, 70_000)));
        assembler.accept(allocator.directBuffer().writeBytes(Arrays.copyOf(frame, 50_000)));
        ByteBuf target = assembler.target();
        assertThat(target.writableBytes()).isEqualTo(frame.length - 50_000);
        target.release();
        assembler.close();
        assertThat(frames).isEmpty();
    }
}
