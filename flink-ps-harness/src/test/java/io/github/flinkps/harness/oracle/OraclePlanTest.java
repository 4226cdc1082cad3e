package io.github.flinkps.harness.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.ConsistencySpec;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class OraclePlanTest {
    private static final OracleKind KIND = OracleKind.EXACTLY_ONCE;

    private static List<OraclePlan> plans(long first, int count) {
        return LongStream.range(first, first + count)
                .mapToObj(seed -> OraclePlan.of(seed, KIND, false))
                .toList();
    }

    @Test
    void aSeedAlwaysSaysTheSame() {
        for (long seed : new long[] {0, 1, -7, Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertThat(OraclePlan.of(seed, KIND, false))
                    .isEqualTo(OraclePlan.of(seed, KIND, false));
        }
    }

    @Test
    void seedsInARowHaveEveryStrike() {
        for (long first : new long[] {1, -20, 1_700_000_000_000L}) {
            Set<Strike> met = new HashSet<>();
            List<Strike> all = KIND.strikes(false);
            plans(first, all.size()).forEach(plan -> met.addAll(plan.strikes()));
            assertThat(met).containsExactlyInAnyOrderElementsOf(all);
        }
    }

    @Test
    void machinesAreCutOffInEachRunAndChangeNothingElseOfIt() {
        Set<Strike> met = new HashSet<>();
        for (long seed = 1; seed <= KIND.cuts().size(); seed++) {
            OraclePlan plan = OraclePlan.of(seed, KIND, true);
            List<Strike> cuts = new ArrayList<>(plan.strikes());
            cuts.removeAll(OraclePlan.of(seed, KIND, false).strikes());
            assertThat(cuts).as("%s", plan).hasSize(1);
            assertThat(cuts.get(0).fault().ofMachines()).isTrue();
            assertThat(plan.remote() || !cuts.get(0).fault().ofServers()).isTrue();
            met.addAll(cuts);
        }
        assertThat(met).containsExactlyInAnyOrderElementsOf(KIND.cuts()).hasSize(14);
    }

    @Test
    void withoutCheckpointsTooSeedsInARowHaveEveryStrike() {
        OracleKind kind = OracleKind.NO_CHECKPOINTS;
        Set<Strike> met = new HashSet<>();
        for (long seed = 5; seed < 5 + kind.strikes(false).size(); seed++) {
            met.addAll(OraclePlan.of(seed, kind, false).strikes());
        }
        assertThat(met).containsExactlyInAnyOrderElementsOf(kind.strikes(false));
        assertThat(plans(1, 100)).noneMatch(OraclePlan::readsOnce);
    }

    @Test
    void seedsHaveEveryKindOfJob() {
        List<OraclePlan> plans = plans(1, 100);
        EnumSet<ConsistencySpec.Kind> kinds = EnumSet.noneOf(ConsistencySpec.Kind.class);
        plans.forEach(plan -> kinds.add(plan.consistency()));
        assertThat(kinds).hasSize(3);
        assertThat(plans).anyMatch(OraclePlan::remote).anyMatch(plan -> !plan.remote());
        assertThat(plans).anyMatch(plan -> !plan.bounded()).anyMatch(plan -> plan.epochs() > 1);
    }

    @Test
    void someStrikesComeInLaterPasses() {
        List<Strike> late = new ArrayList<>();
        for (OraclePlan plan : plans(1, 500)) {
            for (int i = 0; i < plan.strikes().size(); i++) {
                if (plan.isLate(i)) {
                    assertThat(plan.epochs()).as("%s", plan).isGreaterThan(1);
                    late.add(plan.strikes().get(i));
                }
            }
        }
        assertThat(late)
                .allMatch(Strike::canBeLate)
                .contains(new Strike(Phase.TRAINING, Fault.RESCALE_WORKERS))
                .contains(new Strike(Phase.RESTORING, Fault.TASK_MANAGER_KILL));
    }

    /** The first ten seeds must show what a full disk does. */
    @Test
    void theFirstTenSeedsFillADisk() {
        assertThat(plans(1, 10)).anyMatch(OraclePlan::fillsDisk);
    }

    @Test
    void nothingIsAskedForThatCannotBe() {
        for (OraclePlan plan : plans(1, 1_000)) {
            for (Strike strike : plan.strikes()) {
                assertThat(strike.fault().canHappen(strike.phase())).isTrue();
                assertThat(plan.remote() || !strike.fault().ofServers()).as("%s", plan).isTrue();
            }
            assertThat(plan.bounded() || plan.epochs() == 1).as("%s", plan).isTrue();
        }
    }

    @Test
    void workersAndServersAreRescaledTwice() {
        OraclePlan plan = OraclePlan.of(1, KIND, false);
        OraclePlan.Scale one = new OraclePlan.Scale(1, 1);
        assertThat(plan.scales(new Strike(Phase.TRAINING, Fault.RESCALE_WORKERS), one))
                .containsExactly(new OraclePlan.Scale(4, 1), new OraclePlan.Scale(2, 1));
        assertThat(plan.scales(new Strike(Phase.TRAINING, Fault.RESCALE_SERVERS), one))
                .containsExactly(new OraclePlan.Scale(1, 3), new OraclePlan.Scale(1, 2));
    }
}
