package io.github.flinkps.flink.training.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.testing.TestingRows;
import io.github.flinkps.flink.training.TrainingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of cached rows that checkpoints refer to. */
class SavedCacheTest {
    private static final int ROWS = 7;
    private static final int HEADER_BYTES = 8;

    @TempDir private Path folder;
    private SpillingRowCache cache;
    private SavedCache saved;
    private Path files;

    /** Creates a cache of which two mini-batches stay on the heap. */
    @BeforeEach
    void create() {
        cache =
                new SpillingRowCache(
                        2 * (TestingRows.batch(0, ROWS, 9).sizeInBytes() + 400), folder);
        files = folder.resolve("run/rows");
        saved = new SavedCache(files.toString());
    }

    @AfterEach
    void close() {
        cache.close();
    }

    private void cache(int from, int to) throws TrainingException {
        for (int i = from; i < to; i++) {
            cache.add(new MiniBatch(TestingRows.batch(i, ROWS, 9), 0, ROWS));
        }
    }

    private static void write(RowFileEntry rows) throws IOException {
        rows.writeReference(new DataOutputSerializer(64));
    }

    private List<Path> written() throws IOException {
        try (Stream<Path> all = Files.exists(files) ? Files.list(files) : Stream.empty()) {
            return all.toList();
        }
    }

    private static void assertRows(List<RowFileEntry> all) throws IOException {
        for (int i = 0; i < all.size(); i++) {
            RowBatch rows = all.get(i).read();
            assertThat(rows).isEqualTo(TestingRows.batch(i, ROWS, 9));
            assertThat(all.get(i).rows()).isEqualTo(ROWS);
        }
    }

    @Test
    void eachBarrierAddsAFileOfWhatIsNew() throws Exception {
        cache(0, 5);
        List<RowFileEntry> first = saved.save(cache);
        assertThat(written()).isEmpty(); // not by the task's thread
        assertRows(first);
        write(first.get(3));
        assertThat(written()).hasSize(1);
        long bytes = Files.size(written().get(0));
        cache(5, 6);
        List<RowFileEntry> second = saved.save(cache);
        assertThat(second.subList(0, 5)).isEqualTo(first);
        assertThat(saved.save(cache)).isEqualTo(second);
        for (RowFileEntry each : second) {
            write(each);
        }
        assertThat(written()).hasSize(2);
        assertThat(Files.size(written().get(0)) + Files.size(written().get(1)))
                .isEqualTo(2 * HEADER_BYTES + (bytes - HEADER_BYTES) / 5 * 6);
        cache.close();
        assertRows(second);
    }

    @Test
    void aLaterCheckpointWritesWhatAnEarlierOneCouldNot() throws Exception {
        cache(0, 4);
        List<RowFileEntry> first = saved.save(cache);
        Files.writeString(folder.resolve("run"), "in the way");
        assertThatThrownBy(() -> write(first.get(0)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("rows of the checkpoint cannot be written to " + files);
        Files.delete(folder.resolve("run"));
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> write(first.get(0))).hasStackTraceContaining("was given up");
        assertThat(Thread.interrupted()).isFalse();
        assertThat(written()).isEmpty();
        cache(4, 5);
        List<RowFileEntry> second = saved.save(cache);
        for (RowFileEntry each : second) {
            write(each);
        }
        assertThat(written()).hasSize(2);
        cache.close();
        assertRows(second);
    }

    @Test
    void whatWasRestoredIsNotWrittenAgain() throws Exception {
        cache(0, 3);
        List<CachedBatch> batches = new ArrayList<>();
        for (RowFileEntry each : saved.save(cache)) {
            batches.add(WrittenStates.written(new CachedBatch(1, false, each)));
        }
        try (BatchSchedule schedule =
                new BatchSchedule(
                                new BatchAssembler(BatchGrowth.none(ROWS), true),
                                new SpillingRowCache(1 << 20, folder),
                                3,
                                1,
                                0)
                        .withSavedCache(new SavedCache(files.toString()))) {
            schedule.restore(new ScheduleState(1, 0, 0, List.of(), false, batches));
            ScheduleState again = WrittenStates.written(schedule.save(List.of()));
            assertThat(again.cached()).hasSize(3);
            assertThat(written()).hasSize(1);
        }
    }

    private List<CachedBatch> save(int from, int to) throws Exception {
        cache(from, to);
        List<CachedBatch> batches = new ArrayList<>();
        for (RowFileEntry each : saved.save(cache)) {
            batches.add(WrittenStates.written(new CachedBatch(1, false, each)));
        }
        return batches;
    }

    private static void assertLost(RowFileEntry rows, String why) {
        assertThatThrownBy(rows::read).isInstanceOf(IOException.class).hasMessageEndingWith(why);
    }

    /** The other record is whole, and of the same length. */
    @Test
    void recordsAreReadWhereTheyWereWrittenOnly() throws Exception {
        List<CachedBatch> batches = save(0, 3);
        Path file = written().get(0);
        byte[] bytes = Files.readAllBytes(file);
        byte[] moved = bytes.clone();
        int length = (bytes.length - HEADER_BYTES) / 3;
        System.arraycopy(bytes, HEADER_BYTES, moved, HEADER_BYTES + length, length);
        Files.write(file, moved);
        assertThat(batches.get(0).rows().read()).isEqualTo(TestingRows.batch(0, ROWS, 9));
        assertLost(batches.get(1).rows(), " are lost: the rows do not match their checksum");
        assertThat(batches.get(2).rows().read()).isEqualTo(TestingRows.batch(2, ROWS, 9));
        save(3, 6);
        List<Path> both = written();
        Path other = both.get(both.get(0).equals(file) ? 1 : 0);
        Files.copy(other, file, StandardCopyOption.REPLACE_EXISTING);
        assertLost(batches.get(0).rows(), " are lost: the rows do not match their checksum");
    }

    @Test
    void aFileOfAnotherKindOrVersionIsRefused() throws Exception {
        RowFileEntry rows = save(0, 1).get(0).rows();
        Path file = written().get(0);
        byte[] whole = Files.readAllBytes(file);
        byte[] bytes = whole.clone();
        bytes[HEADER_BYTES - 1]++;
        Files.write(file, bytes);
        assertLost(rows, " are lost: its version is 2, not 1");
        bytes[0]++;
        Files.write(file, bytes);
        assertLost(rows, " are lost: it is no file of rows");
        Files.write(file, Arrays.copyOf(whole, HEADER_BYTES + 1));
        assertLost(rows, " are lost: the file ends too early");
        Files.write(file, Arrays.copyOf(whole, HEADER_BYTES - 1));
        assertLost(rows, " are lost: the file ends too early");
    }

    @Test
    void whatIsLostOrDamagedIsNamed() throws Exception {
        List<CachedBatch> batches = save(0, 3);
        Path file = written().get(0);
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 9] ^= 1;
        Files.write(file, bytes);
        assertThat(batches.get(0).rows().read()).isEqualTo(TestingRows.batch(0, ROWS, 9));
        assertThatThrownBy(() -> batches.get(2).rows().read())
                .hasMessageContaining(file + " are lost: the rows do not match their checksum");
        Files.delete(file);
        SavedCache next = new SavedCache(files.toString());
        SpillingRowCache empty = new SpillingRowCache(1 << 20, folder);
        BatchSchedule schedule =
                new BatchSchedule(new BatchAssembler(BatchGrowth.none(ROWS), true), empty, 3, 1, 0)
                        .withSavedCache(next);
        ScheduleState state = new ScheduleState(1, 0, 0, List.of(), false, batches);
        assertThatThrownBy(() -> schedule.restore(state))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file + " are lost: it is missing");
        empty.close();
    }
}
