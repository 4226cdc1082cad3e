package io.github.flinkps.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.server.ServerConfig.StoreLimits;
import io.github.flinkps.testing.TestingCuts;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * One run of a job with checkpoints, a function of its seed: in the end each row counts once, and
 * in each completed cut, with what workers retained then, just those before its barriers. A pull
 * sees what it must at all times. Where steps have one order (rounds of BSP, or a single worker),
 * the model in the end and that of the newest cut are those of {@link PlainModel}, to the bit.
 */
public final class CutSimulation {
    private static final long MILLI = 1_000_000;

    /** Less than servers wait for a marker: no deadline ends what waits for ever. */
    private static final long LIMIT = 100_000 * MILLI;

    private CutSimulation() {}

    /** A worker computes so long where others need no time, and get rows every 1 to 100 ms. */
    private static final long SLOW = 200 * MILLI;

    /** The faults that happen to the job. */
    record Faults(
            boolean crashes,
            boolean rescales,
            boolean aborts,
            boolean cuts,
            Skew skew,
            Rests rests) {
        static final Faults NONE = new Faults(false, false, false, false, Skew.NONE, Rests.NONE);

        /** All that leaves the rounds of BSP as they are. */
        static final Faults ALL = new Faults(true, false, true, true, Skew.NONE, Rests.NONE);

        /** Each fault hides what only happens without. */
        static Faults some(Random random) {
            boolean crashes = random.nextBoolean();
            return new Faults(
                    crashes,
                    crashes && random.nextBoolean(),
                    random.nextBoolean(),
                    random.nextBoolean(),
                    Skew.NONE,
                    Rests.NONE);
        }

        Faults with(Skew other) {
            return new Faults(crashes, rescales, aborts, cuts, other, rests);
        }

        Faults with(Rests other) {
            return new Faults(crashes, rescales, aborts, cuts, skew, other);
        }
    }

    /** Some of what may happen, happens. Returns the bits of the trained tables. */
    public static Map<String, String> withFaults(long seed) {
        Random random = new Random(~seed);
        Faults faults = Faults.some(random);
        Skew skew = Skew.draw(random, workers(new Random(seed)), SLOW);
        return run(seed, faults.with(skew).with(Rests.draw(random)));
    }

    /** Workers rest now and then, under SSP or ASP; attempts crash, and others go on from cuts. */
    public static void withRests(long seed) {
        Random random = new Random(~seed);
        Faults faults = new Faults(true, false, false, false, Skew.NONE, Rests.some(random));
        int staleness = random.nextInt(4);
        ConsistencySpec consistency =
                staleness == 3 ? ConsistencySpec.asp() : ConsistencySpec.ssp(staleness);
        run(seed, seed, 2 + random.nextInt(2), consistency, faults);
    }

    /** Attempts under BSP crash, and others, often of other workers, go on from their cuts. */
    public static void withRestores(long seed) {
        Random random = new Random(seed);
        Faults faults =
                new Faults(true, random.nextInt(4) > 0, false, false, Skew.NONE, Rests.NONE);
        run(seed, seed, workers(random), ConsistencySpec.bsp(), faults);
    }

    /**
     * Runs as {@link #withFaults} does, where all workers are alike, pull for each row, and sources
     * replay in one order.
     */
    static void withoutSkew(long seed) {
        Random random = new Random(seed);
        Faults faults = Faults.some(new Random(~seed));
        run(seed, seed, workers(random), consistency(random), faults, Pace.STEADY);
    }

    /** One worker is slow, or has no rows for some checkpoints; nothing else happens. */
    static void withSkew(long seed) {
        int workers = workers(new Random(seed));
        int worker = new Random(~seed).nextInt(workers);
        boolean slow = (seed & 1) == 0;
        run(seed, Faults.NONE.with(new Skew(worker, slow ? SLOW : 0, slow ? 0 : 5, false)));
    }

    static Map<String, String> run(long seed, Faults faults) {
        Random random = new Random(seed);
        return run(seed, seed, workers(random), consistency(random), faults);
    }

    /** Half of them have next to no memory for key lists, whose arrays go from list to list. */
    private static ServerConfig config(long seed) {
        ServerConfig config = ServerConfig.defaults();
        return (seed & 2) == 0 ? config : config.withStore(new StoreLimits(2000, 1 << 20));
    }

    private static int workers(Random random) {
        return 1 + random.nextInt(3);
    }

    private static ConsistencySpec consistency(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> ConsistencySpec.bsp();
            case 1 -> ConsistencySpec.ssp(random.nextInt(3));
            default -> ConsistencySpec.asp();
        };
    }

    /** Returns the bits of the trained tables, which under BSP are the program's. */
    static Map<String, String> run(
            long seed, long program, int workers, ConsistencySpec consistency, Faults faults) {
        return run(seed, program, workers, consistency, faults, Pace.draw(new Random(~program)));
    }

    private static Map<String, String> run(
            long seed,
            long program,
            int workers,
            ConsistencySpec consistency,
            Faults faults,
            Pace pace) {
        Random random = new Random(seed);
        int[] owners = random.ints(1 + random.nextInt(3), 1, 3).toArray();
        MemoryStorage storage = new MemoryStorage();
        TestingCuts cuts = new TestingCuts(storage, "model", consistency, workers);
        SimulatedCluster cluster =
                new SimulatedCluster(seed, owners, config(seed), 10 * MILLI, storage);
        long slow = MILLI / 8 << random.nextInt(8);
        storage.slow(cluster.time(), () -> cluster.time().delay(slow));
        if (faults.aborts() && random.nextBoolean()) {
            storage.failIf(() -> random.nextInt(50) == 0);
        }
        Random drawn = new Random(program);
        int rowsPerWorker = 8 + drawn.nextInt(12);
        Retaining retaining = Retaining.draw(drawn);
        SimulatedJob job =
                new SimulatedJob(
                        cluster,
                        random,
                        cuts,
                        new SimulatedJob.Program(
                                consistency,
                                workers,
                                rowsPerWorker,
                                retaining,
                                faults.skew(),
                                pace,
                                faults.rests()));
        try (cluster;
                cuts) {
            Map<String, String> bits = run(cluster, cuts, job, random, faults);
            storage.failIf(() -> false);
            checkExport(cuts, job);
            return bits;
        }
    }

    private static Map<String, String> run(
            SimulatedCluster cluster,
            TestingCuts cuts,
            SimulatedJob job,
            Random random,
            Faults faults) {
        if (faults.cuts()) {
            cluster.cut((random.nextBoolean() ? 40 : 200) * MILLI);
        }
        job.start();
        Faulty faulty = new Faulty(cluster, job, random, faults);
        faulty.checkpointLater();
        faulty.crashLater();
        cluster.runUntil(() -> job.isDone() && faulty.isOver(), LIMIT);
        JobContents contents = job.read();
        check(job, contents.seen(), contents.shared(), row -> true, "in the end");
        if (job.isExact()) {
            check(contents.trained(), job.history().model(Long.MAX_VALUE), "in the end");
        }
        for (JobCheckpoint checkpoint : job.complete().values()) {
            Map<String, Map<Long, Float>> cut = cuts.read(checkpoint.manifest());
            String where = "cut " + checkpoint.number();
            float[] seen = counts(job, cut.get("seen"));
            Map<Long, Float> shared = new HashMap<>(cut.get("shared"));
            checkpoint.addHeld(seen, shared);
            check(job, seen, shared, checkpoint::hasRow, where);
            float[] visible = counts(job, cut.get("visible"));
            for (int row = 0; row < visible.length; row++) {
                assertThat(visible[row])
                        .as("%s: row %d", where, row)
                        .isEqualTo(checkpoint.hasRow(row) ? 1f : 0f);
            }
        }
        return contents.trained();
    }

    private static float[] counts(SimulatedJob job, Map<Long, Float> table) {
        float[] counts = new float[job.rows()];
        table.forEach((key, value) -> counts[key.intValue()] = value);
        return counts;
    }

    /** The newest cut, as a model: rounds that are complete, rows caught up with them. */
    private static void checkExport(TestingCuts cuts, SimulatedJob job) {
        if (job.isExact() && !job.complete().isEmpty()) {
            JobCheckpoint newest = job.complete().lastEntry().getValue();
            Map<String, Map<Long, float[]>> found = cuts.export(newest.manifest(), "exported");
            Map<String, String> trained = new TreeMap<>();
            for (TableSpec table : TrainedTables.ALL) {
                Map<Long, float[]> rows = found.get(table.name());
                trained.putAll(
                        PlainModel.rows(
                                table,
                                key ->
                                        rows.containsKey(key)
                                                ? rows.get(key)
                                                : PlainModel.initial(table, key)));
            }
            History history = newest.historyFor(newest.workers().size());
            String where = "in the model of cut " + newest.number();
            check(trained, history.model(newest.lowestClock()), where);
        }
    }

    private static void check(Map<String, String> trained, PlainModel model, String where) {
        model.rows()
                .forEach(
                        (row, values) ->
                                assertThat(trained.get(row))
                                        .as("%s %s", row, where)
                                        .isEqualTo(values));
    }

    private interface Trained {
        boolean has(int row);
    }

    private static void check(
            SimulatedJob job,
            float[] seen,
            Map<Long, Float> counts,
            Trained trained,
            String where) {
        float[] expected = new float[job.rows()];
        Map<Long, Float> shared = new HashMap<>();
        counts.keySet().forEach(key -> shared.put(key, 0f));
        for (int row = 0; row < expected.length; row++) {
            if (trained.has(row)) {
                expected[row] = 1;
                shared.merge(JobContents.sharedKey(row), 1f, Float::sum);
            }
        }
        assertThat(seen).as(where).isEqualTo(expected);
        assertThat(counts).as(where).isEqualTo(shared);
    }

    /** The faults that happen to a job, and their times. */
    private static final class Faulty {
        private final SimulatedCluster cluster;
        private final SimulatedJob job;
        private final Random random;
        private final Faults faults;
        private int crashesLeft;
        private int restored;

        Faulty(SimulatedCluster cluster, SimulatedJob job, Random random, Faults faults) {
            this.cluster = cluster;
            this.job = job;
            this.random = random;
            this.faults = faults;
            this.crashesLeft = faults.crashes() ? 1 + random.nextInt(3) : 0;
        }

        boolean isOver() {
            return crashesLeft == 0;
        }

        private void later(double meanMillis, Runnable action) {
            long wait = (long) (-meanMillis * MILLI * Math.log(1 - random.nextDouble())) + 1;
            cluster.time().at(cluster.time().now() + wait, action);
        }

        void checkpointLater() {
            later(
                    60,
                    () -> {
                        if (!job.isDone()
                                && job.trigger()
                                && faults.aborts()
                                && random.nextInt(4) == 0) {
                            later(30, job::abort);
                        }
                        if (!job.isDone() || !isOver()) {
                            checkpointLater();
                        }
                    });
        }

        /** Soon after a checkpoint, to go back to it, and now and then at any other time. */
        void crashLater() {
            if (crashesLeft > 0) {
                later(
                        40,
                        () -> {
                            boolean fresh = job.complete().size() > restored;
                            if (random.nextInt(fresh ? 2 : 10) == 0) {
                                job.crash(random.nextBoolean());
                                restored = job.complete().size();
                                later(50, this::restart);
                            } else {
                                crashLater();
                            }
                        });
            }
        }

        private void restart() {
            crashesLeft--;
            if (faults.rescales() && random.nextBoolean()) {
                job.rescale(1 + random.nextInt(3));
            }
            job.start();
            crashLater();
        }
    }
}
