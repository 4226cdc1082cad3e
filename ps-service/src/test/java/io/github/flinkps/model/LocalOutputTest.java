package io.github.flinkps.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LocalOutputTest {
    private static final int BLOCK = LocalOutput.BLOCK_BYTES;

    @TempDir private Path folder;

    private static byte[] random(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** The ways in which blocks are written, past the cache of this file system or not. */
    private enum Way {
        AS_CREATED,
        CACHED,
        REFUSED_PAST_THE_CACHE,
        FAILS_IN_THE_SECOND_BLOCK;

        LocalOutput open(Path file) throws IOException {
            if (this == AS_CREATED) {
                return LocalOutput.create(file);
            }
            FileChannel channel =
                    FileChannel.open(
                            file,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.TRUNCATE_EXISTING,
                            StandardOpenOption.WRITE);
            FileChannel direct = null;
            if (this == REFUSED_PAST_THE_CACHE) {
                direct = FileChannel.open(file, StandardOpenOption.WRITE);
                direct.close();
            } else if (this == FAILS_IN_THE_SECOND_BLOCK) {
                direct = new FailingChannel(file, BLOCK + 5000);
            }
            return new LocalOutput(file, channel, direct, LocalOutput.newBlock());
        }
    }

    private static Stream<Arguments> waysAndLengths() {
        return Stream.of(Way.values())
                .flatMap(
                        way ->
                                Stream.of(
                                                0,
                                                1,
                                                4095,
                                                BLOCK - 1,
                                                BLOCK,
                                                BLOCK + 1,
                                                3 * BLOCK,
                                                3 * BLOCK + 4097)
                                        .map(length -> Arguments.of(way, length)));
    }

    @ParameterizedTest
    @MethodSource("waysAndLengths")
    void whatIsSyncedIsThereWhole(Way way, int length) throws IOException {
        byte[] bytes = random(new Random(length), length);
        Path file = folder.resolve("file");
        Files.write(file, new byte[5 * BLOCK]); // one that is there is begun anew
        try (LocalOutput out = way.open(file)) {
            out.write(ByteBuffer.wrap(bytes));
            out.sync();
            if (way != Way.AS_CREATED && length >= 2 * BLOCK) {
                assertThat(out.isDirect()).isFalse();
            }
            assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
        }
        assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
    }

    /** Pieces of any size, heap or direct, with syncs between them, of files open side by side. */
    @Test
    void piecesComeOneAfterTheOther() throws IOException {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 20; round++) {
            byte[][] bytes = new byte[2][];
            int[] written = new int[2];
            LocalOutput[] outs = new LocalOutput[2];
            for (int f = 0; f < 2; f++) {
                bytes[f] = random(random, random.nextInt(4 * BLOCK));
                Way way = Way.values()[random.nextInt(Way.values().length)];
                outs[f] = way.open(folder.resolve("file" + f));
            }
            while (written[0] < bytes[0].length || written[1] < bytes[1].length) {
                int f = random.nextInt(2);
                int most = random.nextInt(4) == 0 ? 2 * BLOCK : 100_000;
                int count = Math.min(random.nextInt(most), bytes[f].length - written[f]);
                ByteBuffer piece = ByteBuffer.allocateDirect(count + 2);
                piece.position(1).limit(count + 1);
                piece.slice().put(bytes[f], written[f], count);
                outs[f].write(piece);
                assertThat(piece.hasRemaining()).isFalse();
                assertThat(piece.position()).isEqualTo(count + 1);
                written[f] += count;
                if (random.nextInt(5) == 0) {
                    outs[f].sync();
                    assertThat(Files.readAllBytes(folder.resolve("file" + f)))
                            .isEqualTo(Arrays.copyOf(bytes[f], written[f]));
                }
            }
            for (int f = 0; f < 2; f++) {
                outs[f].close();
                outs[f].close();
                assertThat(Files.readAllBytes(folder.resolve("file" + f))).isEqualTo(bytes[f]);
            }
        }
    }

    @Test
    void blocksGoPastTheCacheWhereTheyCan() throws IOException {
        Path file = folder.resolve("file");
        Files.createFile(file);
        try (FileChannel probe =
                FileChannel.open(file, StandardOpenOption.WRITE, ExtendedOpenOption.DIRECT)) {
            assertThat(probe.isOpen()).isTrue();
        } catch (IOException | UnsupportedOperationException e) {
            assumeTrue(false, "the file system has no direct output: " + e.getMessage());
        }
        try (LocalOutput out = LocalOutput.create(file)) {
            out.write(ByteBuffer.allocate(2 * BLOCK));
            assertThat(out.isDirect()).isTrue();
        }
    }

    /** A device that has no way past the cache. */
    @Test
    void aFullDiskIsAnErrorOnce() throws IOException {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.isWritable(full), "no device that is always full");
        LocalOutput out = LocalOutput.create(full);
        assertThatThrownBy(() -> out.write(ByteBuffer.allocate(2 * BLOCK)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("No space left");
        assertThatThrownBy(() -> out.write(ByteBuffer.allocate(1)))
                .hasMessage("what was written to /dev/full before has failed");
        assertThatThrownBy(out::sync).hasMessage("what was written to /dev/full before has failed");
        out.close();
        LocalOutput rest = LocalOutput.create(full);
        rest.write(ByteBuffer.allocate(1));
        assertThatThrownBy(rest::sync).hasMessageContaining("No space left");
        rest.close();
    }

    /** Whoever has the name by then. */
    @Test
    void aFileThatIsReplacedIsLeftAlone() throws IOException {
        Path file = folder.resolve("file");
        try (LocalOutput first = LocalOutput.create(file)) {
            first.write(ByteBuffer.allocate(10));
            Files.delete(file);
            Files.write(file, new byte[] {1});
            first.write(ByteBuffer.allocate(2 * BLOCK));
            first.sync();
        }
        assertThat(Files.readAllBytes(file)).containsExactly(1);
    }

    @Test
    void whatIsClosedTakesNoMore() throws IOException {
        LocalOutput out = LocalOutput.create(folder.resolve("file"));
        out.close();
        assertThatThrownBy(() -> out.write(ByteBuffer.allocate(1)))
                .isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(out::sync).isInstanceOf(ClosedChannelException.class);
    }
}
