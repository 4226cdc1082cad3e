package io.github.flinkps.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.server.store.Partition;
import io.github.flinkps.server.update.UpdateFunctions;
import io.netty.buffer.Unpooled;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KeyRowsTest {
    private static final int KEYS = 1000;

    private final TableSpec spec = TableSpec.sparse("t", 1, UpdateSpec.of("add")).withPartitions(1);
    private final OwnerTable table = new OwnerTable(1, spec);

    /** A cache of one list. */
    private final KeyCache cache = new KeyCache(3 * 12 * KEYS / 2);

    @BeforeEach
    void addPartition() {
        Partition partition = Partition.create(spec, 0, UpdateFunctions.create(spec.update()));
        table.set(new PartitionLog(partition, new StepCount(false), 1));
    }

    /** The hashes {@code [from, from + KEYS)}; it is cached, and others no more. */
    private KeyRows list(long from) {
        KeyArrays.Pair arrays = cache.arrays().take(KEYS);
        System.arraycopy(hashes(from), 0, arrays.hashes(), 0, KEYS);
        KeyRows rows = KeyRows.of(table, arrays, KEYS, cache.arrays());
        return cache.put(1, from, rows);
    }

    private static long[] hashes(long from) {
        return LongStream.range(from, from + KEYS).toArray();
    }

    private long freeBytes() {
        return cache.arrays().freeBytes();
    }

    @Test
    void theArraysOfAListThatIsOverAreTheNextOnes() {
        list(0);
        KeyRows second = list(KEYS);
        assertThat(second.count()).isEqualTo(KEYS);
        assertThat(second.hashes(0)).isEqualTo(hashes(KEYS));
        assertThat(freeBytes()).isPositive();
        long free = freeBytes();
        for (long i = 2; i < 10; i++) {
            list(i * KEYS);
            assertThat(freeBytes()).isEqualTo(free);
        }
    }

    @Test
    void aListThatIsUsedKeepsItsArrays() {
        KeyRows first = list(0);
        first.retain();
        first.retain();
        first.prepare(true);
        list(KEYS).prepare(true);
        assertThat(first.hashes(0)).isEqualTo(hashes(0));
        assertThat(first.row(0, KEYS - 1)).isEqualTo(KEYS - 1);
        first.release();
        list(2L * KEYS).prepare(true);
        assertThat(first.hashes(0)).isEqualTo(hashes(0));
        long before = freeBytes();
        first.release();
        assertThat(freeBytes()).isEqualTo(2 * before);
    }

    @Test
    void aListThatIsPinnedKeepsItsArraysForEver() {
        KeyRows first = list(0);
        FloatBuffer gradients = FloatBuffer.allocate(KEYS);
        Push push = new Push(first, Unpooled.EMPTY_BUFFER, gradients, 1);
        push.retain();
        push.pin();
        push.release();
        list(KEYS);
        assertThat(freeBytes()).isZero();
        assertThat(first.hashes(0)).isEqualTo(hashes(0));
    }

    /** The number by which a list is found again is the client's own: it may be wrong, or a lie. */
    @Test
    void sessionsFindTheListsTheyHaveSentAndNoOthers() {
        KeyCache large = new KeyCache(1 << 20);
        KeyRows first = large.put(1, 77, KeyRows.of(table, hashes(0)));
        KeyRows second = large.put(2, 77, KeyRows.of(table, hashes(KEYS)));
        assertThat(large.get(1, table, 77)).isSameAs(first);
        assertThat(first.hashes(0)).isEqualTo(hashes(0));
        assertThat(large.get(2, table, 77)).isSameAs(second);
        assertThat(second.hashes(0)).isEqualTo(hashes(KEYS));
        assertThat(large.get(3, table, 77)).isNull();
        assertThat(large.get(1, new OwnerTable(2, spec), 77)).isNull();
        KeyRows again = large.put(1, 77, KeyRows.of(table, hashes(2L * KEYS)));
        assertThat(large.get(1, table, 77)).isSameAs(again);
        assertThat(large.get(2, table, 77)).isSameAs(second);
    }

    /** The same keys under the same number are a list of their own in each table. */
    @Test
    void aSessionFindsTheListOfTheTableItAsksFor() {
        OwnerTable other = new OwnerTable(2, spec);
        other.set(table.log(0));
        KeyCache large = new KeyCache(1 << 20);
        KeyRows first = large.put(1, 77, KeyRows.of(table, hashes(0)));
        assertThat(large.get(1, other, 77)).isNull();
        KeyRows second = large.put(1, 77, KeyRows.of(other, hashes(0)));
        assertThat(second).isNotSameAs(first);
        assertThat(large.get(1, table, 77)).isSameAs(first);
        assertThat(large.get(1, other, 77)).isSameAs(second);
        large.remove(other);
        assertThat(large.get(1, table, 77)).isSameAs(first);
        assertThat(large.get(1, other, 77)).isNull();
        OwnerTable again = new OwnerTable(1, spec); // dropped, and created under its number
        assertThat(large.get(1, again, 77)).isNull();
    }

    /** Lists that have gone take no room from those that come. */
    @Test
    void theCacheKeepsTheNewestListsThatFit() {
        KeyRows one = KeyRows.of(table, hashes(0));
        KeyCache some = new KeyCache(5 * (one.bytes() + 200));
        for (long i = 0; i < 50; i++) {
            some.put(1, i, KeyRows.of(table, hashes(i * KEYS)));
        }
        for (long i = 0; i < 50; i++) {
            assertThat(some.get(1, table, i) != null).as("list %d", i).isEqualTo(i >= 45);
        }
    }

    /**
     * Sessions share a list, so that their pushes are summed row by row without looking for rows.
     */
    @Test
    void sessionsThatSendTheSameKeysShareOneList() {
        KeyArrays arrays = cache.arrays();
        KeyRows first = list(0);
        KeyArrays.Pair pair = arrays.take(KEYS);
        System.arraycopy(hashes(0), 0, pair.hashes(), 0, KEYS);
        KeyRows shared = cache.put(2, 0, KeyRows.of(table, pair, KEYS, arrays));
        assertThat(shared).isSameAs(first);
        assertThat(freeBytes()).isEqualTo(pair.bytes());
        assertThat(cache.get(2, table, 0)).isSameAs(first);
    }

    @Test
    void aListThatIsForgottenOrReplacedIsOver() {
        list(0);
        list(0);
        long one = freeBytes();
        assertThat(one).isPositive();
        cache.remove(table);
        assertThat(freeBytes()).isEqualTo(2 * one);
    }

    /** A list that a roll-back has made old stays so until its rows are there. */
    @Test
    void aListWhoseRowsCannotBeMadeAgainIsNotReady() {
        Partition partition =
                Partition.create(spec, 0, UpdateFunctions.create(spec.update()), KEYS + 1);
        table.set(new PartitionLog(partition, new StepCount(false), 1));
        KeyRows first = list(0);
        first.retain();
        first.prepare(true);
        partition.clear();
        list(KEYS).prepare(true);
        for (int times = 0; times < 2; times++) {
            assertThatThrownBy(() -> first.prepare(true))
                    .isInstanceOfSatisfying(
                            PsException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.TABLE_FULL));
        }
    }

    /** Its arrays are over with the request that has sent it. */
    @Test
    void aListLargerThanTheCacheIsUsedAndNotKept() {
        KeyCache small = new KeyCache(1000);
        KeyArrays.Pair arrays = small.arrays().take(KEYS);
        System.arraycopy(hashes(0), 0, arrays.hashes(), 0, KEYS);
        KeyRows sent = small.put(1, 7, KeyRows.of(table, arrays, KEYS, small.arrays()));
        sent.retain();
        assertThat(sent.hashes(0)).isEqualTo(hashes(0));
        assertThat(small.get(1, table, 7)).isNull();
        sent.release();
        assertThat(small.arrays().freeBytes()).isEqualTo(arrays.bytes());
    }

    @Test
    void listsOfSessionsThatAreOverGo() {
        KeyCache large = new KeyCache(1 << 20);
        large.put(1, 7, KeyRows.of(table, hashes(0)));
        KeyRows shared = large.put(2, 7, KeyRows.of(table, hashes(0)));
        large.put(1, 8, KeyRows.of(table, hashes(KEYS)));
        large.removeSessions(Set.of(1));
        assertThat(large.get(1, table, 7)).isNull();
        assertThat(large.get(1, table, 8)).isNull();
        assertThat(large.get(2, table, 7)).isSameAs(shared);
    }

    /** Lengths change, as where a table is filled with other lists than it is trained with. */
    @Test
    void arraysOfALengthNotWantedMakeRoomForOthers() {
        KeyArrays arrays = new KeyArrays(Long.MAX_VALUE);
        List<KeyArrays.Pair> before = new ArrayList<>();
        for (long bytes = 0; bytes <= 2 * arrays.limit(); bytes += before.get(0).bytes()) {
            before.add(arrays.take(20_000));
        }
        before.forEach(arrays::giveBack);
        assertThat(arrays.freeBytes()).isLessThanOrEqualTo(arrays.limit());
        KeyArrays.Pair pair = arrays.take(10_000);
        arrays.giveBack(pair);
        arrays.giveBack(arrays.take(1 << 20)); // longer than all that may be free
        assertThat(arrays.freeBytes()).isLessThanOrEqualTo(arrays.limit());
        assertThat(arrays.take(10_000)).isSameAs(pair);
    }

    /** Lengths are so many that no count of keys finds arrays too short, nor much too long. */
    @Test
    void arraysAreAsLongAsTheListOrABitLonger() {
        for (int count : new int[] {0, 1, 16, 17, 20, 21, 1000, 1 << 20, (1 << 20) + 1}) {
            int length = KeyArrays.length(count);
            assertThat(length).isBetween(count, Math.max(16, count + count / 4));
            assertThat(KeyArrays.length(length)).isEqualTo(length);
            KeyArrays arrays = new KeyArrays(0);
            KeyArrays.Pair pair = arrays.take(count);
            assertThat(pair.hashes()).hasSize(length);
            assertThat(pair.rows()).hasSize(length);
            arrays.giveBack(pair);
            assertThat(arrays.take(length + 1)).isNotSameAs(pair);
            assertThat(arrays.take(length) == pair).isEqualTo(pair.bytes() <= arrays.limit());
        }
        assertThat(KeyArrays.length(Integer.MAX_VALUE - 8)).isEqualTo(Integer.MAX_VALUE - 8);
    }
}
