package io.github.flinkps.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.simulation.CutSimulation.Faults;
import io.github.flinkps.testing.ChangedClasses;
import io.github.flinkps.testing.Seeds;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Seeded runs of jobs with checkpoints against the production servers and clients, on virtual time.
 * Connections are cut and delayed, checkpoints aborted, processes crashed. Each row counts once in
 * the end. Each completed cut has just the rows before its barriers. Optimizers have made the steps
 * they should, to the bit, where their order is known. The first seed is printed; {@code
 * -Dsimulation.seed=S} begins with another, {@code -Dsimulation.runs=N} sets how many follow,
 * {@code -Dsimulation.threads=N} how many at a time.
 */
class CutSimulationTest {
    private static final int RUNS = Integer.getInteger("simulation.runs", 32);

    @Test
    void everyRowCountsOnceWithoutFaults() {
        Seeds.forEach(
                "cuts without faults", RUNS / 2, seed -> CutSimulation.run(seed, Faults.NONE));
    }

    @Test
    void everyRowCountsOnceWhateverHappens() {
        Seeds.forEach("cuts with faults", 2 * RUNS, CutSimulation::withFaults);
    }

    /** Alignment of a barrier and the bound on staleness do not wait for each other for ever. */
    @Test
    void aSlowWorkerOrOneWithoutRowsStopsNoCheckpoint() {
        Seeds.forEach("cuts of uneven workers", RUNS / 2, CutSimulation::withSkew);
    }

    /** They say that they are idle, and join again, while cuts are taken and gone back to. */
    @Test
    void workersThatRestHoldNobody() {
        Seeds.forEach("cuts of workers that rest", RUNS / 2, CutSimulation::withRests);
    }

    /** Attempts crash, and others, often of other workers, go on from their cuts. */
    @Test
    void jobsGoOnFromTheirCuts() {
        Seeds.forEach("cuts that are restored", RUNS / 2, CutSimulation::withRestores);
    }

    /** All workers have finished, and differ on which cut is the newest complete one. */
    @Test
    void everyRowCountsOnceInCutsOfFinishedWorkers() {
        CutSimulation.withoutSkew(4251647576749382647L);
    }

    @Test
    void bspGivesTheSameBitsWithAndWithoutFaults() {
        Seeds.forEach(
                "bits under BSP",
                RUNS / 8,
                seed -> {
                    int workers = 1 + new Random(seed).nextInt(3);
                    ConsistencySpec bsp = ConsistencySpec.bsp();
                    Map<String, String> expected =
                            CutSimulation.run(seed, seed, workers, bsp, Faults.NONE);
                    assertThat(CutSimulation.run(seed * 31, seed, workers, bsp, Faults.ALL))
                            .isEqualTo(expected);
                });
    }

    /**
     * Classes that are loaded anew have enums, and objects, of other hashes: what depends on an
     * order by hash would happen in one process, and in no other.
     */
    @Test
    void aSeedLeadsToTheSameRunInEveryProcess(@TempDir Path none) {
        ChangedClasses others = new ChangedClasses(none);
        Seeds.forEach(
                "seeds that lead to the same",
                RUNS / 2,
                seed ->
                        assertThat(withFaults(others, seed))
                                .isEqualTo(CutSimulation.withFaults(seed)));
    }

    private static Object withFaults(ChangedClasses classes, long seed) {
        try {
            return classes.run("simulation.CutSimulation", "withFaults", seed);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }
}
