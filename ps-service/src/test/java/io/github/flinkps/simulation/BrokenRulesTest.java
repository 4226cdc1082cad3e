package io.github.flinkps.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.testing.ChangedClasses;
import io.github.flinkps.testing.Seeds;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Breaks a rule of the protocol in the source of a class, and lets the simulation find out: one
 * that it does not find proves nothing when it finds none.
 */
class BrokenRulesTest {
    private static final int MOST_SEEDS = 200;
    private static final String FAULTS = "CutSimulation.withFaults";
    private static final String RESTORES = "CutSimulation.withRestores";
    private static final String RESTS = "SimulatedTraining.withRests";
    private static final String RESTS_AND_CUTS = "CutSimulation.withRests";

    @TempDir private Path classes;

    /** A rule, the simulation that needs it, the class that keeps it, and what breaks it. */
    enum Rule {
        ENTRIES_ARE_DEFERRED_BEHIND_A_MARKER(
                "server/OwnerCuts", "return ledger.isDeferred(worker);", "return false;"),
        A_PUSH_DOES_NOT_OVERTAKE_THE_MARKER_BEFORE_IT(
                "client/ClientSession",
                "operation.mark(cut, completeCut);",
                "operation.mark(cut, completeCut);"
                        + " if (true) {"
                        + " CompletableFuture<Void> late = new CompletableFuture<>();"
                        + " loop.schedule(() -> operation.send().whenComplete((ok, error) -> {"
                        + " if (error == null) { late.complete(ok); }"
                        + " else { late.completeExceptionally(error); } }), 1_000_000);"
                        + " return late; }"),
        CLOCKS_ARE_DEFERRED_TOO(
                "server/OwnerAttempt",
                "log.defer(entry);",
                "log.defer(entry); if (entry.has(ExchangeHeader.CLOCK)) {"
                        + " effects.clocks().advance(worker, entry.clock()); }"),
        A_RETRY_IS_APPLIED_ONCE(
                "server/OwnerAttempt",
                "if (log.order(entry) != Order.NEXT) {",
                "if (log.order(entry) == Order.EARLY) {"),
        EVERY_PARTITION_ROLLS_BACK(
                "server/CutRestore", "partitions.forEach(", "partitions.stream().skip(1).forEach("),
        UNFINISHED_ROUNDS_ARE_PART_OF_A_CUT(
                "server/OwnerPart", "pending.forEach(this::append);", ""),
        A_CUT_DOES_NOT_LIFT_THE_BOUND_ON_STALENESS(
                "server/OwnerAttempt",
                "} else if (entry.pulls() == 0",
                "} else if (entry.pulls() == 0 || !bound.rounds() && cuts.isOpen()"),
        A_CUT_WAITS_FOR_ALL_MARKERS(
                "server/CutLedger",
                "!oldest.marked.get(oldest.firstMissing) && !finished.test(oldest.firstMissing)",
                "false"),
        ROWS_ARE_SAVED_BEFORE_THEY_ARE_WRITTEN(
                "server/store/Partition",
                "frozen.beforeWrite(changes.current(), rows, from, to);",
                "changes.current().set(rows, from, to);"),
        INCREMENTS_BEGIN_AT_A_COMPLETE_CUT(
                "server/CutImage",
                "partition.completed(complete.base());",
                "partition.completed(cut - 1);"),
        WAITING_WORKERS_ARE_SENT_ON_TO_THE_BARRIER(
                "server/OwnerCuts", "return ledger.blocking(worker, lags);", "return 0;"),
        RESIDUALS_ARE_PART_OF_A_CHECKPOINT(
                "client/Residuals", "rows.put(saved.keys()[row], sum, 0, 1);", ""),
        KEYS_OF_WAITING_PUSHES_ARE_KEPT("server/Push", "rows.retain();", ""),
        KEYS_OF_HELD_ENTRIES_ARE_KEPT(
                "server/WorkerLog", "entry.retain();", "entry.frame().retain();"),
        RESIDUALS_STAY_AS_THEY_WERE_SAVED("client/ResidualRows", "if (shared) {", "if (false) {"),
        A_RESTORE_KNOWS_THE_STEPS_BEFORE_ITS_ROUNDS(
                RESTORES,
                "server/OwnerRestore",
                "PartitionLog log = log(of.partition());\n"
                        + "        log.restore(counts, of.rest().counts().stepsBefore());",
                "PartitionLog log = log(of.partition()); log.restore(counts, 0);"),
        A_RESTORE_KNOWS_THE_LAST_STEPS_OF_ROWS(
                RESTORES,
                "server/OwnerRestore",
                "System.arraycopy(rows.steps(), 0, image.stepsOrNull(), 0, rows.rows());",
                ""),
        ROUNDS_THAT_ARE_OPEN_AT_A_RESCALE_ARE_APPLIED(
                RESTORES,
                "server/OwnerRestore",
                "begin(of, endRounds(of))",
                "begin(of, of.rest().counts().steps())"),
        A_MINI_BATCH_WITHOUT_A_PUSH_HERE_HAS_ITS_WEIGHT(
                RESTORES, "server/OpenRounds", "} else if (weight > 0) {", "} else if (false) {"),
        A_CLOCK_CARRIES_A_WEIGHT(
                RESTORES, "client/ExchangeOperation", "clockWeight = weight;", "clockWeight = 1;"),
        ROWS_ARE_BORN_IN_THE_ROUND_THAT_TRAINS_THEM(
                RESTORES,
                "server/KeyRows",
                "rows, log(slice).stepsBeforeRound(clock));",
                "rows, partition.step());"),
        ROWS_THAT_NOTHING_HAS_TRAINED_ARE_REGULARISED(
                "model/cut/CaughtUpRows",
                "block == null ? rest() : newest(block);",
                "block == null ? null : newest(block);"),
        ROWS_OF_INCREMENTS_KEEP_THEIR_STEPS(
                "model/cut/CaughtUpRows", "block.steps()[to] = block.steps()[from];", ""),
        A_WORKER_REJOINS_NOT_BEHIND_WHERE_IT_WAS(
                RESTS,
                "server/WorkerClocks",
                "Math.max(idleAt[worker], clock == 0 ? furthestLowest : clock)",
                "clock == 0 ? Math.max(idleAt[worker], furthestLowest) : clock"),
        WHO_WAS_IDLE_AT_A_CUT_BEGINS_WITH_THE_OTHERS(
                RESTS_AND_CUTS,
                "server/CutRestore",
                "at[worker] = Math.max(lowest, clocks.idleAt()[worker]);",
                "at[worker] = clocks.idleAt()[worker];"),
        WHO_WAS_IDLE_AT_A_CUT_BEGINS_NOT_BEHIND_WHERE_IT_WAS(
                RESTS_AND_CUTS,
                "server/CutRestore",
                "at[worker] = Math.max(lowest, clocks.idleAt()[worker]);",
                "at[worker] = lowest;"),
        WHO_RESTS_HOLDS_NOBODY(
                RESTS_AND_CUTS,
                "server/WorkerClocks",
                "return advance(worker, INFINITE);\n    }\n\n    /**\n     * Ends",
                "return false;\n    }\n\n    /**\n     * Ends");

        private final String simulation;
        private final String source;
        private final String kept;
        private final String broken;

        Rule(String source, String kept, String broken) {
            this(FAULTS, source, kept, broken);
        }

        Rule(String simulation, String source, String kept, String broken) {
            this.simulation = simulation;
            this.source = source;
            this.kept = kept;
            this.broken = broken;
        }
    }

    @ParameterizedTest
    @EnumSource
    void isMissedByTheSimulation(Rule rule) throws Exception {
        ChangedClasses broken = new ChangedClasses(classes);
        broken.change(rule.source, rule.kept, rule.broken);
        long first = System.nanoTime();
        int run = runs(broken, rule.simulation, first, MOST_SEEDS);
        assertThat(run)
                .as("%s: %d runs from seed %d have not found it", rule, MOST_SEEDS, first)
                .isLessThan(MOST_SEEDS);
        System.out.println(
                "without " + rule + ": found with seed " + Seeds.nth(first, run) + ", run " + run);
    }

    /** Shows that what the other tests find is not the class loader's fault. */
    @ParameterizedTest
    @ValueSource(strings = {FAULTS, RESTORES, RESTS, RESTS_AND_CUTS})
    void findsNothingWhereNoRuleIsBroken(String simulation) throws Exception {
        long first = System.nanoTime();
        int runs = runs(new ChangedClasses(classes), simulation, first, 5);
        assertThat(runs).as("good runs from seed %d", first).isEqualTo(5);
    }

    private static int runs(ChangedClasses classes, String simulation, long first, int most)
            throws ReflectiveOperationException {
        String[] parts = simulation.split("\\.");
        return classes.runsUntilFailure("simulation." + parts[0], parts[1], first, most);
    }
}
