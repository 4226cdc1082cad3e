package io.github.flinkps.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.server.store.SavedBlocks;
import io.github.flinkps.transport.Loop;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An image copied by a loop and written by a thread that a test runs step by step. */
class CutImageTest {
    private static final int ROWS = 400_000;
    private static final int WIDTH = 4;

    /** The rows of a block, with a key and values each. */
    private static final int BLOCK_ROWS = (256 << 10) / (8 + 4 * WIDTH);

    private static final int MOST_BLOCKS = 16;

    @TempDir private Path folder;

    private final SteppedLoop loop = new SteppedLoop();
    private final Queue<Runnable> toWrite = new ArrayDeque<>();
    private final List<String> ends = new ArrayList<>();
    private final Told told = new Told();

    /** Runs what it is told when it is told to; each look at its clock takes a time. */
    private static final class SteppedLoop implements Loop {
        private final Queue<Runnable> commands = new ArrayDeque<>();
        private final Queue<Runnable> timers = new ArrayDeque<>();
        private long lookNanos;
        private long longestNanos;
        private long now;

        @Override
        public boolean inLoop() {
            return true;
        }

        @Override
        public void execute(Runnable command) {
            commands.add(command);
        }

        @Override
        public Runnable schedule(Runnable command, long delayNanos) {
            longestNanos = Math.max(longestNanos, delayNanos);
            timers.add(command);
            return () -> timers.remove(command);
        }

        @Override
        public long nanoTime() {
            now += lookNanos;
            return now;
        }

        /**
         * Runs all commands, those too that come meanwhile, as between two looks at connections.
         */
        void runCommands() {
            runAll(commands);
        }
    }

    private static final class Told implements CutListener {
        private int written;

        @Override
        public void written(CutOutcomes.Name cut, int owner, byte[] part) {
            written++;
        }

        @Override
        public void failed(CutOutcomes.Name cut, String reason) {
            throw new AssertionError(reason);
        }
    }

    private static void runAll(Queue<Runnable> queue) {
        for (Runnable next = queue.poll(); next != null; next = queue.poll()) {
            next.run();
        }
    }

    private CutImage freeze(BufferAllocator allocator) {
        return freeze(allocator, new LocalModelStorage());
    }

    private CutImage freeze(BufferAllocator allocator, ModelStorage storage) {
        OwnerModel model =
                new OwnerModel("m", new OwnerModel.OwnerShare(0, 1, 0, 1), ServerConfig.defaults());
        TableSpec table = TableSpec.dense("t", ROWS, WIDTH, UpdateSpec.of("sgd")).withPartitions(2);
        model.createTable(1, table);
        model.beginAttempt(ConsistencySpec.asp(), 1);
        for (int p = 0; p < 2; p++) {
            int rows = ROWS / 2;
            long[] keys = LongStream.range((long) p * rows, (long) (p + 1) * rows).toArray();
            model.table(1).log(p).partition().load(keys, new float[rows * WIDTH], null, rows);
        }
        CutContext place =
                new CutContext(
                        loop,
                        new OwnerModel.OwnerShare(0, 1, 0, 1),
                        new CutWork(storage, allocator, toWrite::add, () -> {}),
                        told,
                        new CutContext.Attempt("m", 1, "run", folder.toString()),
                        new ServerConfig.CutLimits(Duration.ofDays(1), 1 << 20, 1 << 20));
        ModelEffects effects = model.attempt().effects();
        return CutImage.freeze(
                new CutImage.Source(model.tables(), effects.clocks(), effects.rounds()),
                place,
                new CutLedger.Complete(1, 0),
                new SavedBlocks(),
                (image, failure) -> ends.add(String.valueOf(failure)));
    }

    @Test
    void noMoreIsCopiedThanTheWritingThreadKeepsUpWith(BufferAllocator allocator) {
        freeze(allocator).start();
        loop.runCommands();
        runAll(loop.timers);
        assertThat(toWrite).hasSize(MOST_BLOCKS);

        toWrite.remove().run();
        loop.runCommands();
        runAll(loop.timers);
        assertThat(toWrite).hasSize(MOST_BLOCKS);

        int blocks = MOST_BLOCKS + 1;
        while (ends.isEmpty()) {
            assertThat(toWrite).isNotEmpty();
            toWrite.remove().run();
            loop.runCommands();
            int before = toWrite.size();
            runAll(loop.timers);
            blocks += toWrite.size() - before;
        }
        assertThat(blocks).isBetween(ROWS / BLOCK_ROWS, ROWS / BLOCK_ROWS + 2);
        assertThat(ends).containsExactly("null");
        assertThat(told.written).isOne();
    }

    /** A bug must not pass for a storage that has failed. */
    @Test
    void aBugOnTheWritingThreadEndsTheImageAndFailsTheLoop(BufferAllocator allocator) {
        AssertionError bug = new AssertionError("for this test");
        freeze(allocator, storageThatThrows(bug)).start();
        loop.runCommands();
        runAll(loop.timers);
        toWrite.remove().run();
        assertThatThrownBy(loop::runCommands).isSameAs(bug);
        assertThat(ends).singleElement().asString().endsWith("for this test");
        runAll(toWrite);
        assertThatThrownBy(loop::runCommands).isSameAs(bug);
        assertThat(ends).hasSize(1);
    }

    private static ModelStorage storageThatThrows(AssertionError bug) {
        return (ModelStorage)
                Proxy.newProxyInstance(
                        CutImageTest.class.getClassLoader(),
                        new Class<?>[] {ModelStorage.class},
                        (proxy, method, arguments) -> {
                            throw bug;
                        });
    }

    /** Commands run in a row, timers once between two looks at the connections. */
    @Test
    void aTurnEndsSoThatRequestsComeInBetween(BufferAllocator allocator) {
        CutImage image = freeze(allocator);
        loop.lookNanos = 200_000;
        image.start();
        loop.runCommands();
        assertThat(toWrite).isEmpty(); // the first pushes come before
        assertThat(loop.longestNanos).isEqualTo(20_000_000);
        loop.timers.remove().run();
        loop.runCommands();
        int turns = 1;
        int before = 0;
        while (toWrite.size() < MOST_BLOCKS) {
            assertThat(toWrite.size() - before).isBetween(1, 3);
            before = toWrite.size();
            assertThat(loop.timers).hasSize(1);
            loop.timers.remove().run();
            loop.runCommands();
            turns++;
        }
        assertThat(turns).isGreaterThanOrEqualTo(MOST_BLOCKS / 3);
        image.abort();
        runAll(toWrite);
        loop.runCommands();
        runAll(loop.timers);
        assertThat(ends).isEmpty();
        assertThat(told.written).isZero();
    }
}
