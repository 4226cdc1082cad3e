package io.github.flinkps.flink.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockEnumeratorTest {
    private static BlockSplit split(String id) {
        TextFile file = new TextFile("file:/x", 3, 99, Packing.GZIP);
        return new BlockSplit(id, file, 10, 3, 7, 42, 5);
    }

    private static List<List<BlockSplit>> plan(int readers) {
        List<List<BlockSplit>> shares = new ArrayList<>();
        for (int i = 0; i < readers; i++) {
            shares.add(List.of(split("a" + i), split("b" + i)));
        }
        return shares;
    }

    private static BlockPlan copy(BlockPlan plan) throws IOException {
        BlockPlanSerializer serializer = new BlockPlanSerializer();
        return serializer.deserialize(serializer.getVersion(), serializer.serialize(plan));
    }

    @Test
    void givesEachReaderItsShareWheneverItAsks() {
        TestingEnumeratorContext context = new TestingEnumeratorContext(3);
        BlockEnumerator enumerator = new BlockEnumerator(context, BlockEnumeratorTest::plan, null);
        enumerator.start();
        ask(context, enumerator, 1);
        assertThat(context.assigned).isEmpty();
        context.runCalls();
        assertThat(context.assigned).containsOnlyKeys(1);
        ask(context, enumerator, 0);
        ask(context, enumerator, 2);
        assertThat(context.assigned.get(0)).containsExactly("a0", "b0");
        assertThat(context.assigned.get(1)).containsExactly("a1", "b1");
        assertThat(context.assigned.get(2)).containsExactly("a2", "b2");
    }

    private static void ask(
            TestingEnumeratorContext context, BlockEnumerator enumerator, int reader) {
        context.register(reader);
        enumerator.addReader(reader);
        enumerator.handleSplitRequest(reader, "here");
    }

    /**
     * A reader that goes on with splits of a checkpoint does not ask: it may fail with a row of
     * them.
     */
    @Test
    void sendsNothingToAReaderThatDoesNotAsk() {
        TestingEnumeratorContext context = new TestingEnumeratorContext(2);
        BlockEnumerator enumerator = new BlockEnumerator(context, BlockEnumeratorTest::plan, null);
        enumerator.start();
        context.register(0);
        enumerator.addReader(0);
        ask(context, enumerator, 1);
        context.runCalls();
        assertThat(context.assigned).containsOnlyKeys(1);
        assertThat(context.finished).isEmpty();
        enumerator.handleSplitRequest(1, "here");
        assertThat(context.finished).containsExactly(1);
        enumerator.handleSplitRequest(0, "here");
        assertThat(context.assigned.get(0)).containsExactly("a0", "b0");
        assertThat(context.finished).containsExactly(1);
        enumerator.handleSplitRequest(0, "here");
        assertThat(context.finished).containsExactly(0, 1);
    }

    @Test
    void sendsNothingToAReaderThatHasFailedMeanwhile() {
        TestingEnumeratorContext context = new TestingEnumeratorContext(2);
        BlockEnumerator enumerator = new BlockEnumerator(context, BlockEnumeratorTest::plan, null);
        enumerator.start();
        enumerator.handleSplitRequest(0, "here");
        ask(context, enumerator, 1);
        enumerator.addReader(1); // again, and has not asked yet
        context.runCalls();
        assertThat(context.assigned).isEmpty();
        assertThat(context.finished).isEmpty();
    }

    @Test
    void givesSplitsThatCameBackAgain() {
        TestingEnumeratorContext context = new TestingEnumeratorContext(2);
        BlockEnumerator enumerator = new BlockEnumerator(context, BlockEnumeratorTest::plan, null);
        enumerator.start();
        ask(context, enumerator, 0);
        context.runCalls();
        enumerator.addSplitsBack(List.of(split("a0")), 0);
        ask(context, enumerator, 0);
        assertThat(context.assigned.get(0)).containsExactly("a0", "b0", "a0");
    }

    @Test
    void goesOnFromItsStateWithFewerReaders() throws IOException {
        TestingEnumeratorContext context = new TestingEnumeratorContext(3);
        BlockEnumerator enumerator = new BlockEnumerator(context, BlockEnumeratorTest::plan, null);
        enumerator.start();
        ask(context, enumerator, 1);
        context.runCalls();
        BlockPlan state = copy(enumerator.snapshotState(1));
        assertThat(state).isEqualTo(enumerator.snapshotState(1));
        assertThat(state.planned()).isTrue();
        TestingEnumeratorContext fewer = new TestingEnumeratorContext(2);
        BlockEnumerator restored = new BlockEnumerator(fewer, BlockEnumeratorTest::plan, state);
        restored.start();
        fewer.runCalls();
        for (int reader = 0; reader < 2; reader++) {
            ask(fewer, restored, reader);
        }
        assertThat(fewer.assigned).containsOnlyKeys(0);
        assertThat(fewer.assigned.get(0)).containsExactly("a0", "b0", "a2", "b2");
    }

    @Test
    void plansAgainIfItHadNotPlanned() throws IOException {
        TestingEnumeratorContext context = new TestingEnumeratorContext(1);
        BlockEnumerator enumerator = new BlockEnumerator(context, BlockEnumeratorTest::plan, null);
        enumerator.start();
        BlockPlan state = copy(enumerator.snapshotState(1));
        assertThat(state.planned()).isFalse();
        TestingEnumeratorContext again = new TestingEnumeratorContext(1);
        BlockEnumerator restored = new BlockEnumerator(again, BlockEnumeratorTest::plan, state);
        restored.start();
        ask(again, restored, 0);
        again.runCalls();
        assertThat(again.assigned.get(0)).containsExactly("a0", "b0");
    }

    @Test
    void failsWithWhatIsWrongWithTheInput() {
        TestingEnumeratorContext context = new TestingEnumeratorContext(1);
        BlockEnumerator enumerator =
                new BlockEnumerator(
                        context,
                        readers -> {
                            throw new InputException("input x is empty");
                        },
                        null);
        enumerator.start();
        assertThatThrownBy(context::runCalls)
                .hasMessageContaining("input x is empty")
                .hasCauseInstanceOf(InputException.class);
    }

    @Test
    void splitsComeBackFromTheirBytes() throws IOException {
        BlockSplitSerializer serializer = new BlockSplitSerializer();
        BlockSplit generated = new BlockSplit("g", null, 1, 2, 3, -1, 4);
        for (BlockSplit split : List.of(split("x"), generated)) {
            byte[] bytes = serializer.serialize(split);
            assertThat(serializer.deserialize(serializer.getVersion(), bytes)).isEqualTo(split);
            assertThatThrownBy(() -> serializer.deserialize(9, bytes))
                    .hasMessageContaining("newer release");
        }
    }
}
