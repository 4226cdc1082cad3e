package io.github.flinkps.flink.training.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.flinkps.client.KeyList;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.testing.LocalCluster;
import io.github.flinkps.flink.training.TrainingException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpillingRowCacheTest {
    @TempDir private Path folder;

    /** The keys 0 to size - 1. */
    private record Keys(int size, int[] positions) implements KeyList {
        @Override
        public String table() {
            return "t";
        }

        @Override
        public long key(int position) {
            return position;
        }
    }

    private static RowBatch rows(SplittableRandom random, int count, long block) {
        boolean weighted = random.nextBoolean();
        boolean valued = random.nextBoolean();
        RowBatchBuilder builder = new RowBatchBuilder();
        for (int row = 0; row < count; row++) {
            for (int i = random.nextInt(6); i > 0; i--) {
                builder.add(random.nextLong(), valued ? random.nextInt(100) / 8f : 1f);
            }
            builder.endRow(random.nextInt(3), weighted ? random.nextInt(1, 9) / 3f : 1f);
        }
        return builder.position(block, (int) block * 1000).build();
    }

    /** Views of a few row batches, as the assembler makes them. */
    private static List<MiniBatch> batches(long seed, int count) {
        SplittableRandom random = new SplittableRandom(seed);
        List<MiniBatch> all = new ArrayList<>();
        for (long block = 0; all.size() < count; block++) {
            int size = random.nextInt(1, 30);
            RowBatch rows = rows(random, 4 * size, block);
            for (int i = 0; i < 4; i++) {
                all.add(new MiniBatch(rows, i * size, (i + 1) * size));
            }
        }
        return all;
    }

    private static void prepare(MiniBatch batch, int keys) {
        batch.keys = new KeyList[] {new Keys(keys, new int[keys]), null};
    }

    private long files() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).count();
        }
    }

    private static void assertSame(MiniBatch actual, MiniBatch expected) {
        assertThat(actual.weight).isEqualTo(expected.weight);
        RowBatch rows = actual.rows.slice(actual.from, actual.to);
        assertThat(rows).isEqualTo(expected.rows.slice(expected.from, expected.to));
        assertThat(rows.weights() == null).isEqualTo(expected.rows.weights() == null);
        assertThat(rows.values() == null).isEqualTo(expected.rows.values() == null);
    }

    @Test
    void givesBackWhatWasAddedWhereverItIsKept() throws Exception {
        long seed = System.nanoTime();
        for (long budget : new long[] {0, 2_000, 20_000, 1 << 30}) {
            List<MiniBatch> all = batches(seed, 300);
            try (SpillingRowCache cache = new SpillingRowCache(budget, folder)) {
                for (MiniBatch each : all) {
                    cache.add(each);
                    prepare(each, 5);
                }
                boolean spills = budget < 1 << 30;
                assertThat(cache.size()).isEqualTo(all.size());
                assertThat(files()).isEqualTo(spills ? 1 : 0);
                assertThat(cache.spilledBytes() > 0).isEqualTo(spills);
                assertThat(cache.keptBatches() < all.size()).isEqualTo(spills);
                SplittableRandom random = new SplittableRandom(seed);
                int next = random.nextInt(all.size());
                for (int i = 0; i < 1000; i++) {
                    int number = next;
                    MiniBatch got = cache.get(number);
                    next = random.nextInt(all.size());
                    // what was read ahead is not always what is asked for
                    cache.readAhead(random.nextInt(5) == 0 ? random.nextInt(all.size()) : next);
                    assertSame(got, all.get(number));
                    assertThat(got == all.get(number)).isEqualTo(number < cache.keptBatches());
                    assertThat(got.prepared()).isEqualTo(number < cache.keptBatches());
                }
            }
            assertThat(folder).as("seed %d", seed).isEmptyDirectory();
        }
    }

    @Test
    void countsRowsKeysAndPlaces() throws Exception {
        List<MiniBatch> all = batches(1, 2000);
        long rowBytes = 0;
        for (int i = 0; i < all.size(); i += 4) {
            rowBytes += all.get(i).rows.sizeInBytes();
        }
        try (SpillingRowCache cache = new SpillingRowCache(Long.MAX_VALUE, folder)) {
            for (MiniBatch each : all) {
                cache.add(each);
                prepare(each, 50);
            }
            long keyBytes = (all.size() - 1L) * 50 * 20;
            assertThat(cache.usedBytes() - rowBytes - keyBytes)
                    .isBetween(100L * all.size(), 300L * all.size());
        }
        long budget = 50_000;
        try (SpillingRowCache cache = new SpillingRowCache(budget, folder)) {
            int most = 0;
            for (MiniBatch each : all) {
                cache.add(each);
                prepare(each, 50);
                assertThat(cache.usedBytes()).isLessThanOrEqualTo(budget);
                most = Math.max(most, cache.keptBatches());
            }
            assertThat(most).isGreaterThan(10);
            // places have taken room from what was kept at first
            assertThat(cache.keptBatches()).isBetween(1, most - 1);
            for (int i = 0; i < all.size(); i++) {
                assertSame(cache.get(i), all.get(i));
            }
        }
    }

    @Test
    void closingTwiceAndInTheMidstOfReadingLeavesNothing() throws Exception {
        SpillingRowCache cache = new SpillingRowCache(0, folder);
        for (MiniBatch each : batches(3, 40)) {
            cache.add(each);
        }
        cache.get(7);
        cache.readAhead(8);
        cache.close();
        cache.close();
        assertThat(folder).isEmptyDirectory();
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (!LocalCluster.ourThreads().isEmpty() && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(LocalCluster.ourThreads()).isEmpty();
    }

    @Test
    void aFolderThatIsNotThereIsNamed() {
        Path none = folder.resolve("none");
        try (SpillingRowCache cache = new SpillingRowCache(0, none)) {
            assertThatThrownBy(() -> cache.add(batches(1, 1).get(0)))
                    .isInstanceOf(TrainingException.class)
                    .hasMessageContaining("row-memory")
                    .hasMessageContaining("written")
                    .hasMessageContaining(none.toString());
        }
    }

    @Test
    void aFullDiskIsToldWithItsFolder() throws Exception {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.isWritable(full));
        Path own = Files.createDirectory(folder.resolve("own"));
        try (SpillFile file =
                new SpillFile(own, FileChannel.open(full, StandardOpenOption.WRITE))) {
            RowBatch rows = batches(1, 1).get(0).rows;
            assertThatThrownBy(
                            () -> {
                                while (true) {
                                    file.append(rows);
                                }
                            })
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("No space left");
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aDamagedFileIsNotTrainedOn() throws Exception {
        try (SpillingRowCache cache = new SpillingRowCache(0, folder)) {
            for (MiniBatch each : batches(5, 40)) {
                cache.add(each);
            }
            cache.get(0);
            Path file;
            try (Stream<Path> all = Files.walk(folder)) {
                file = all.filter(Files::isRegularFile).findAny().orElseThrow();
            }
            byte[] bytes = Files.readAllBytes(file);
            assertThat(bytes).hasSize((int) cache.spilledBytes());
            bytes[bytes.length - 30] ^= 4;
            Files.write(file, bytes);
            assertThatThrownBy(() -> LongStream.range(0, 40).forEach(i -> get(cache, (int) i)))
                    .cause()
                    .isInstanceOf(TrainingException.class)
                    .hasMessageContaining("row-memory")
                    .hasMessageContaining("checksum")
                    .hasMessageContaining(file.getParent().toString());
        }
    }

    private static void get(RowCache cache, int number) {
        try {
            cache.get(number);
        } catch (TrainingException e) {
            throw new IllegalStateException(e);
        }
    }
}
