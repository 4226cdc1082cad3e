package io.github.flinkps.harness.oracle;

import io.github.flinkps.common.ConsistencySpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The plan that a seed makes of a run: nothing else decides.
 *
 * @param seed all is drawn by
 * @param remote whether servers are processes of their own
 * @param consistency of the training
 * @param bounded whether the source says that it ends
 * @param epochs passes; 1 if unbounded
 * @param workers at the beginning
 * @param servers at the beginning
 * @param strikes in the order in which they happen
 * @param late whether the last of them before the end comes when all rows have been read, and are
 *     trained again: behind it nothing comes that needs a source's barrier
 * @param readsOnce whether the source does not go back: what an attempt has read never comes again
 */
record OraclePlan(
        long seed,
        boolean remote,
        ConsistencySpec.Kind consistency,
        boolean bounded,
        int epochs,
        int workers,
        int servers,
        List<Strike> strikes,
        boolean late,
        boolean readsOnce) {
    private static final int[] WORKERS = {1, 4, 2};
    private static final int[] SERVERS = {1, 3, 2};

    /** Has no factor in common with the number of strikes, so that seeds in a row have them all. */
    private static final long STRIDE = 23;

    private static final List<ConsistencySpec.Kind> KINDS =
            List.of(ConsistencySpec.Kind.BSP, ConsistencySpec.Kind.SSP, ConsistencySpec.Kind.ASP);

    /**
     * Makes the plan of a seed. The first strike goes through all that can happen as seeds go up by
     * one, the second one on machines through all that cuts their links; the rest is drawn.
     *
     * @param machines whether jobs run on machines whose links can be cut
     */
    static OraclePlan of(long seed, OracleKind kindOfJobs, boolean machines) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Strike> all = kindOfJobs.strikes(false);
        Strike first = turn(seed, all);
        Strike cut = machines ? turn(seed, kindOfJobs.cuts()) : null;
        boolean remote = first.fault().ofServers() || random.nextInt(3) == 0;
        ConsistencySpec.Kind kind = KINDS.get(random.nextInt(KINDS.size()));
        boolean rescaled = first.fault() == Fault.RESCALE_WORKERS;
        boolean bounded = random.nextBoolean();
        int epochs = bounded && random.nextInt(3) > 0 ? 2 + random.nextInt(2) : 1;
        int workers = rescaled ? WORKERS[0] : 2 + random.nextInt(2);
        int servers = first.fault() == Fault.RESCALE_SERVERS ? SERVERS[0] : 1 + random.nextInt(3);
        List<Strike> strikes = new ArrayList<>(List.of(first));
        if (cut != null) {
            strikes.add(cut);
        }
        List<Strike> more =
                all.stream()
                        .filter(strike -> !strike.fault().ofServers() || remote)
                        .filter(strike -> !strike.fault().stops())
                        .filter(strike -> strike.phase() != Phase.FINISHING)
                        .toList();
        for (int i = random.nextInt(3); i > 0; i--) {
            strikes.add(more.get(random.nextInt(more.size())));
        }
        strikes.sort(Comparator.comparing(strike -> strike.phase() == Phase.FINISHING));
        boolean late = epochs > 1 && random.nextBoolean();
        boolean readsOnce = !kindOfJobs.checkpoints() && random.nextBoolean();
        return new OraclePlan(
                seed,
                remote || cut != null && cut.fault().ofServers(),
                kind,
                bounded,
                epochs,
                workers,
                servers,
                List.copyOf(strikes),
                late,
                readsOnce);
    }

    private static Strike turn(long seed, List<Strike> strikes) {
        return strikes.get((int) Math.floorMod(seed * STRIDE, (long) strikes.size()));
    }

    /** Returns whether the strike of that place comes when all rows have been read. */
    boolean isLate(int place) {
        boolean last =
                place == strikes.size() - 1 || strikes.get(place + 1).phase() == Phase.FINISHING;
        return late && last && strikes.get(place).canBeLate();
    }

    /** Returns the scales of the jobs that go on, one after the other, from a savepoint. */
    List<Scale> scales(Strike strike, Scale now) {
        return switch (strike.fault()) {
            case RESCALE_WORKERS ->
                    List.of(
                            new Scale(WORKERS[1], now.servers()),
                            new Scale(WORKERS[2], now.servers()));
            case RESCALE_SERVERS ->
                    List.of(
                            new Scale(now.workers(), SERVERS[1]),
                            new Scale(now.workers(), SERVERS[2]));
            default -> List.of(now);
        };
    }

    /** Returns whether the disk with the cuts is to be full. */
    boolean fillsDisk() {
        return strikes.stream().anyMatch(strike -> strike.fault() == Fault.DISK_FULL);
    }

    /** Returns whether workers retain updates until the end. */
    boolean retains() {
        return seed % 2 == 0;
    }

    /** Returns the numbers of workers and servers with which the job begins. */
    Scale scale() {
        return new Scale(workers, servers);
    }

    /**
     * The size of a job.
     *
     * @param workers of it
     * @param servers inside it, or used by it
     */
    record Scale(int workers, int servers) {}

    /** Returns the plan as a line for people. */
    @Override
    public String toString() {
        return (remote ? "remote " : "embedded ")
                + consistency
                + (bounded ? ", bounded, epochs " + epochs : ", unbounded")
                + ", workers "
                + workers
                + ", servers "
                + servers
                + (retains() ? ", updates retained" : "")
                + (readsOnce ? ", a source that does not go back" : "")
                + ": "
                + IntStream.range(0, strikes.size())
                        .mapToObj(
                                i -> strikes.get(i).text() + (isLate(i) ? " in a later pass" : ""))
                        .collect(Collectors.joining(", "));
    }
}
