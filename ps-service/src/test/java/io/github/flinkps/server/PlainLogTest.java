package io.github.flinkps.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.KeyHash;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.protocol.ErrorFrame;
import io.github.flinkps.server.store.Partition;
import io.github.flinkps.testing.TestingConnection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PlainLogTest {
    private static final int PARTITIONS = 2;

    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);

    /** Counts pushes, whose gradients are positive; fails with 666. */
    private final TableSpec spec =
            TableSpec.sparse("t", 1, UpdateSpec.of("sign-for-tests")).withPartitions(PARTITIONS);

    private final TestingEntries entries =
            new TestingEntries(spec, ConsistencySpec.asp(), 0, allocator);
    private final TestingConnection connection = new TestingConnection(allocator);

    /** A key of either partition, in the order of their hashes. */
    private final long[] keys = {keyOf(0), keyOf(1)};

    private static long keyOf(int partition) {
        return LongStream.range(0, 1000)
                .filter(key -> KeyHash.of(64).hash(key) >>> 63 == partition)
                .findFirst()
                .orElseThrow();
    }

    @AfterEach
    void everythingIsReleased() {
        connection.sent().forEach(ByteBuf::release);
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    /** Returns the error that a push is answered with, or null. */
    private PsException push(float gradient, long... sequences) {
        entries.plainPush(connection, new float[] {gradient, gradient}, keys, sequences);
        return ErrorFrame.of(connection.sent().get(connection.sent().size() - 1));
    }

    private float[] values() {
        float[] values = new float[PARTITIONS];
        for (int p = 0; p < PARTITIONS; p++) {
            Partition partition = entries.model().table(1).partition(p);
            float[] value = new float[1];
            if (partition.export(0, 1, new long[1], value, null) > 0) {
                values[p] = value[0];
            }
        }
        return values;
    }

    @Test
    void aPushThatComesAgainIsAnsweredButNotAppliedAgain() {
        assertThat(push(1, 0, 0)).isNull();
        assertThat(push(1, 0, 0)).isNull();
        assertThat(push(2, 1, 1)).isNull();
        assertThat(values()).containsExactly(2, 2);
    }

    /** All partitions take it, or none: the client sends the whole of it again. */
    @Test
    void aPushThatIsEarlyInOnePartitionTakesNoPositionInTheOthers() {
        PsException early = push(2, 0, 1);
        assertThat(early.code()).isEqualTo(ErrorCode.THROTTLED);
        assertThat(early).hasMessageContaining("an earlier push to partition 1 is missing");
        assertThat(values()).containsExactly(0, 0);
        assertThat(push(1, 0, 0)).isNull();
        assertThat(push(2, 1, 1)).isNull();
        assertThat(values()).containsExactly(2, 2);
    }

    /** The client may not have heard of the refusal, and must not take the push for applied. */
    @Test
    void aPushThatWasRefusedIsRefusedAgainAndTheNextOneTaken() {
        for (int times = 0; times < 2; times++) {
            assertThat(push(666, 0, 0)).hasMessageContaining("no step of 666");
        }
        assertThat(push(2, 1, 1)).isNull();
        assertThat(values()).containsExactly(1, 1);
    }

    /** A fault is found before the push is applied; those behind it must not wait for ever. */
    @Test
    void aPushThatCannotBeReadTakesItsPositionToo() {
        entries.plainPush(connection, new float[] {1, 1}, new long[] {keys[1], keys[0]}, 0, 0);
        assertThat(ErrorFrame.of(connection.sent().get(0))).isNotNull();
        assertThat(push(2, 1, 1)).isNull();
        assertThat(values()).containsExactly(1, 1);
    }

    @Test
    void aSequenceOfAPartitionThatIsNotThereIsMalformed() {
        PsException malformed = push(1, 0, 0, 0);
        assertThat(malformed.code()).isEqualTo(ErrorCode.MALFORMED);
        assertThat(push(2, 0, 0)).isNull();
        assertThat(values()).containsExactly(1, 1);
    }

    @Test
    void aTableThatIsGoneHasNoLog() {
        assertThat(push(1, 0, 0)).isNull();
        OwnerTable gone = entries.model().dropTable(1);
        entries.forget(gone);
        for (int times = 0; times < 2; times++) {
            assertThat(push(1, 1, 1).code()).isEqualTo(ErrorCode.UNKNOWN_TABLE);
        }
    }

    /** The push's answer was lost, and one of its tables has been dropped since. */
    @Test
    void aPushThatComesAgainWhenOneOfItsTablesIsGoneHasTakenEffect() {
        entries.model().createTable(2, spec);
        entries.pushTo(2, 1);
        assertThat(push(1, 0, 0)).isNull();
        entries.forget(entries.model().dropTable(2));
        assertThat(push(1, 0, 0).code()).isEqualTo(ErrorCode.UNKNOWN_TABLE);
        assertThat(values()).containsExactly(1, 1);
        entries.pushTo(1);
        assertThat(push(2, 1, 1)).isNull();
        assertThat(values()).containsExactly(2, 2);
    }
}
