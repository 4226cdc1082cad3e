package io.github.flinkps.server;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.server.store.Partition;
import io.github.flinkps.server.update.StepContext;
import io.github.flinkps.transport.Loop;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes cuts of a small model that nobody trains, and writes them nowhere. The first cut of a
 * server would otherwise meet classes that are not loaded, and pushes that were compiled for
 * training without one. The first steps after it took twice and thrice as long as those after the
 * second. Takes half a second to a second of one thread, to which it is confined; a first cut that
 * comes by then is written behind it.
 */
final class CutRehearsal {
    private static final Logger LOG = LoggerFactory.getLogger(CutRehearsal.class);

    /**
     * The cuts of a rehearsal: after so many, with some 100,000 rows of each table, the code that
     * rows meet is compiled for good.
     */
    private static final int CUTS = 8;

    /** Rows that tables have before the first cut, and that come behind each. */
    private static final int ROWS = 1 << 13;

    private static final int WIDTH = 16;
    private static final int PUSHED_ROWS = 1024;

    /**
     * The pushes behind a freeze, times the number of the cut, so that more rows are saved each
     * time.
     */
    private static final int PUSHES_AT_ONCE = 4;

    private static final OwnerModel.OwnerShare ALONE = new OwnerModel.OwnerShare(0, 1, 0, 1);

    private final SplittableRandom random = new SplittableRandom(1);
    private final CommandQueue commands = new CommandQueue();
    private final CutOutcomes outcomes = new CutOutcomes(1);
    private final OwnerModel model = new OwnerModel("", ALONE, ServerConfig.defaults());

    /** Gradients in direct memory, as they come in requests. */
    private final FloatBuffer gradients =
            ByteBuffer.allocateDirect(4 * WIDTH * PUSHED_ROWS)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .asFloatBuffer();

    private final CutContext context;
    private final OwnerCuts cuts;

    private CutRehearsal(BufferAllocator allocator) {
        context =
                new CutContext(
                        commands,
                        ALONE,
                        new CutWork(new NoStorage(), allocator, commands, () -> {}),
                        new Told(),
                        new CutContext.Attempt("", 1, "rehearsal", "rehearsal"),
                        new ServerConfig.CutLimits(
                                Duration.ofDays(1), Long.MAX_VALUE, Long.MAX_VALUE));
        cuts = new OwnerCuts(1, context);
    }

    /** Runs the rehearsal; a failure is logged, as training can do without. */
    static void tryToRun() {
        long begun = System.nanoTime();
        try (BufferAllocator memory = new RootAllocator()) {
            run(memory);
            LOG.debug("Cuts rehearsed in {} ms", (System.nanoTime() - begun) / 1_000_000);
        } catch (RuntimeException | Error e) {
            LOG.warn("Cuts could not be rehearsed: the first one may slow down training", e);
            KnownError.throwBug(e);
        }
    }

    /**
     * Runs the rehearsal: fills a model and takes cuts of it.
     *
     * @throws IllegalStateException if a cut has not been written
     */
    static void run(BufferAllocator allocator) {
        CutRehearsal rehearsal = new CutRehearsal(allocator);
        try {
            rehearsal.fill();
            for (int cut = 1; cut <= CUTS; cut++) {
                rehearsal.take(cut);
            }
        } finally {
            rehearsal.close();
        }
    }

    /** Gives up what has not been written. */
    private void close() {
        cuts.close();
        while (commands.runNext()) {
            // Until there is no more.
        }
    }

    private void fill() {
        model.beginAttempt(ConsistencySpec.asp(), 1);
        model.createTable(
                0, TableSpec.sparse("sparse", WIDTH, UpdateSpec.of("adagrad")).withPartitions(1));
        model.createTable(
                1,
                TableSpec.dense("dense", CUTS * ROWS, WIDTH, UpdateSpec.of("sgd"))
                        .withPartitions(1));
        partitions().forEach(partition -> load(partition, 0, ROWS));
    }

    private List<Partition> partitions() {
        List<Partition> partitions = new ArrayList<>();
        model.tables().forEach(table -> partitions.add(table.partition(0)));
        return partitions;
    }

    private static void load(Partition partition, long first, int rows) {
        long[] keys = LongStream.range(first, first + rows).toArray();
        partition.load(keys, new float[rows * WIDTH], null, rows);
    }

    /**
     * Takes a cut. Every fourth cut is an increment; rows that come behind the freeze are in the
     * next one.
     */
    private void take(int cut) {
        List<PsException> failed = new ArrayList<>();
        List<List<byte[]>> written = new ArrayList<>();
        outcomes.await(
                context.name(cut), new CutOutcomes.Waiter(null, 0, written::add, failed::add));
        cuts.marker(0, 0, cut, cut % 4 == 0 ? cut - 1 : 0);
        ModelEffects effects = model.attempt().effects();
        cuts.freeze(
                cuts.complete(effects.clocks()),
                new CutImage.Source(model.tables(), effects.clocks(), effects.rounds()),
                () -> {});
        if (cut < CUTS) {
            partitions().forEach(partition -> load(partition, (long) cut * ROWS, ROWS));
        }
        for (int i = 0; i < PUSHES_AT_ONCE * cut; i++) {
            push(cut, cut * ROWS);
        }
        do {
            push(cut, cut * ROWS);
        } while (commands.runNext());
        if (written.isEmpty()) {
            throw new IllegalStateException("not written", failed.isEmpty() ? null : failed.get(0));
        }
    }

    private void push(long step, int ofRows) {
        int[] rows = new int[PUSHED_ROWS];
        int apart = ofRows / PUSHED_ROWS;
        for (int i = 0; i < rows.length; i++) {
            rows[i] = i * apart + random.nextInt(apart);
        }
        StepContext context = new StepContext().set(1, step);
        for (Partition partition : partitions()) {
            partition.apply(rows, 0, rows.length, gradients.duplicate(), context);
        }
    }

    private final class Told implements CutListener {
        @Override
        public void written(CutOutcomes.Name cut, int owner, byte[] part) {
            outcomes.written(cut, owner, part);
        }

        @Override
        public void failed(CutOutcomes.Name cut, String reason) {
            outcomes.failed(cut, reason);
        }
    }

    /** Runs what it is given one after the other, when told to; time does not count. */
    private static final class CommandQueue implements Loop {
        private final Queue<Runnable> commands = new ArrayDeque<>();

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
            commands.add(command);
            return () -> commands.remove(command);
        }

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        /** Returns whether there was anything to run. */
        boolean runNext() {
            Runnable next = commands.poll();
            if (next != null) {
                next.run();
            }
            return next != null;
        }
    }

    /** Takes everything and has nothing. */
    private static final class NoStorage implements ModelStorage {
        @Override
        public Output create(String file) {
            return new Output() {
                @Override
                public void write(ByteBuffer bytes) {
                    bytes.position(bytes.limit());
                }

                @Override
                public void sync() {
                    // Nothing is kept.
                }

                @Override
                public void close() {
                    // Nothing is open.
                }
            };
        }

        @Override
        public ReadableByteChannel open(String file) throws NoSuchFileException {
            throw new NoSuchFileException(file);
        }

        @Override
        public boolean exists(String path) {
            return false;
        }

        @Override
        public List<String> list(String directory) {
            return List.of();
        }

        @Override
        public long bytes(String path) {
            return 0;
        }

        @Override
        public void makeDirectories(String directory) {
            // Every directory is there.
        }

        @Override
        public void rename(String from, String to) throws NoSuchFileException {
            throw new NoSuchFileException(from);
        }

        @Override
        public void syncDirectory(String directory) {
            // Nothing is kept.
        }

        @Override
        public void delete(String path) {
            // Nothing is there.
        }
    }
}
