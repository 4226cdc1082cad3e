package io.github.flinkps.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.StepCounts;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.protocol.ErrorFrame;
import io.github.flinkps.server.store.Partition;
import io.github.flinkps.testing.TestingConnection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests what becomes of a model when an attempt follows another. */
class OwnerModelTest {
    private static final long[] ROW = {7};

    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);

    @AfterEach
    void everythingIsReleased() {
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    private TestingEntries entries(String update) {
        TableSpec spec = TableSpec.sparse("t", 1, UpdateSpec.of(update)).withPartitions(1);
        return new TestingEntries(spec, ConsistencySpec.bsp(), 2, allocator);
    }

    private static void beginCuts(TestingEntries entries) {
        entries.model()
                .beginCuts(
                        new CutContext(
                                null,
                                null,
                                null,
                                null,
                                new CutContext.Attempt("m", 1, "run", "directory"),
                                ServerConfig.defaults().cuts()));
    }

    private static float value(TestingEntries entries) {
        Partition partition = entries.model().table(1).partition(0);
        float[] value = new float[1];
        partition.export(0, 1, new long[1], value, null);
        return value[0];
    }

    /** The workers count a mini-batch once its cut is complete, wherever the others are. */
    @Test
    void roundsOfAnAttemptThatTookCutsAreAppliedBeforeTheNext() {
        TestingEntries entries = entries("add");
        beginCuts(entries);
        entries.push(0, ROW, new float[] {3});
        entries.clock(0, 1, 1);
        assertThat(value(entries)).isZero();
        entries.begin(ConsistencySpec.bsp(), 2);
        assertThat(value(entries)).isEqualTo(3);
    }

    @Test
    void thoseOfAnAttemptWithoutCutsAreDropped() {
        TestingEntries entries = entries("add");
        entries.push(0, ROW, new float[] {3});
        entries.clock(0, 1, 1);
        entries.begin(ConsistencySpec.bsp(), 2);
        assertThat(value(entries)).isZero();
    }

    /** The rows lack what was acknowledged: nobody may read them, and no cut may have them. */
    @Test
    void aRoundThatCannotBeAppliedThenIsLostForTheNextAttemptToo() {
        TestingEntries entries = entries("sign-for-tests");
        beginCuts(entries);
        entries.push(0, ROW, new float[] {666});
        entries.clock(0, 1, 1);
        entries.begin(ConsistencySpec.bsp(), 1);
        assertThat(entries.effects().lostRound()).hasMessageContaining("no step of 666");
        TestingConnection connection = new TestingConnection(allocator);
        entries.pull(connection, 0, 0, 7);
        assertThat(ErrorFrame.of(connection.sent().get(0))).hasMessageContaining("no step of 666");
        connection.sent().forEach(ByteBuf::release);
    }

    /**
     * Others go on from what is left of the rows: they must hear of it, as must those after them.
     */
    @Test
    void aRoundLostWhileAnAttemptTrainsIsLostForAllAfterIt() {
        TestingEntries entries = entries("sign-for-tests");
        beginCuts(entries);
        entries.push(0, ROW, new float[] {666});
        entries.push(1, ROW, new float[] {0});
        entries.clock(0, 1, 1);
        entries.clock(1, 1, 1);
        for (int attempt = 2; attempt <= 3; attempt++) {
            entries.begin(ConsistencySpec.bsp(), 2);
            assertThat(entries.effects().lostRound()).hasMessageContaining("no step of 666");
        }
    }

    @Test
    void aLossThatIsCarriedOnLastsUntilTheRowsAreRestored() {
        TestingEntries entries = entries("sign-for-tests");
        beginCuts(entries);
        entries.push(0, ROW, new float[] {666});
        entries.clock(0, 1, 1);
        entries.begin(ConsistencySpec.bsp(), 1);
        beginCuts(entries);
        entries.begin(ConsistencySpec.bsp(), 1);
        assertThat(entries.effects().lostRound()).hasMessageContaining("no step of 666");
        entries.model().restored(entries.model().restore(), new WorkerClocks(1));
        entries.begin(ConsistencySpec.bsp(), 1);
        assertThat(entries.effects().lostRound()).isNull();
    }

    /** Four workers have begun their second round; those that keep the rows are in it too. */
    @Test
    void rowsThatAreKeptKeepTheRoundThatIsOpen() {
        TestingEntries entries = entries("add");
        entries.begin(ConsistencySpec.asp(), 4);
        for (int batch = 0; batch < 6; batch++) {
            entries.clock(batch % 4, 1 + batch / 4, 1);
        }
        StepCounts counts = new StepCounts(6, 1, 2);
        assertThat(entries.model().table(1).log(0).counts()).isEqualTo(counts);
        entries.begin(ConsistencySpec.asp(), 4);
        entries.model()
                .beginAt(WorkerClocks.of(new long[] {2, 2, 1, 1}, new long[] {-1, -1, -1, -1}));
        assertThat(entries.model().table(1).log(0).counts()).isEqualTo(counts);
        entries.clock(2, 2, 1);
        entries.clock(3, 2, 1);
        assertThat(entries.model().table(1).log(0).counts()).isEqualTo(new StepCounts(8, 2, 0));
    }

    /** A mini-batch divides by its own weight, not by those of the pushes it brought. */
    @Test
    void aRoundThatIsOpenAtACutKeepsTheWeightsOfMiniBatches() {
        TestingEntries entries = entries("add");
        entries.push(0, ROW, new float[] {3});
        entries.clock(0, 1, 8);
        entries.push(0, ROW, new float[] {4}); // its mini-batch has not ended
        List<Double> weights = new ArrayList<>();
        entries.effects()
                .rounds()
                .eachPending(
                        entries.model().table(1).log(0),
                        (clock, worker, batchWeight, push, slice) -> {
                            assertThat(push.weight()).isEqualTo(1);
                            weights.add(batchWeight);
                        });
        assertThat(weights).containsExactly(8.0, 0.0);
        entries.effects().rounds().clear();
    }
}
