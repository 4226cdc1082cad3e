package io.github.flinkps.harness.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OracleReportTest {
    @Test
    void whatDidNotHappenIsNamed() {
        OracleReport report = OracleReport.empty(OracleKind.EXACTLY_ONCE, true);
        assertThat(report.unmet()).hasSize(Strike.ALL.size());
        Strike last = new Strike(Phase.RESTORING, Fault.SERVER_STOP);
        Strike.ALL.stream().filter(strike -> !strike.equals(last)).forEach(report::hit);
        assertThat(report.unmet()).containsExactly("restoring/server-stop");
        report.hit(last);
        assertThat(report.unmet()).isEmpty();
    }

    @Test
    void aRunWithAWrongCountIsWrong() {
        OracleReport report = OracleReport.empty(OracleKind.EXACTLY_ONCE, false);
        OracleReport.Run lost = new OracleReport.Run(2, 0, 10, 1, 0);
        OracleReport.Run doubled = new OracleReport.Run(3, 0, 10, 0, 1);
        report.runs().add(new OracleReport.Run(1, 0, 10, 0, 0));
        report.runs().add(lost);
        report.runs().add(doubled);
        assertThat(report.wrong(OracleKind.EXACTLY_ONCE)).containsExactly(lost, doubled);
        assertThat(report.wrong(OracleKind.AT_LEAST_ONCE)).containsExactly(lost);
    }

    /** The report expects no rows to be lost but those that a source does not give again. */
    @Test
    void withoutCheckpointsOnlyWhatCannotBeReadAgainMayBeLost() {
        OracleKind kind = OracleKind.NO_CHECKPOINTS;
        OracleReport report = OracleReport.empty(kind, false);
        for (long seed = 1; seed <= 100; seed++) {
            report.runs().add(new OracleReport.Run(seed, 1, 10, 1, 0));
        }
        assertThat(report.wrong(kind))
                .hasSizeBetween(20, 80)
                .noneMatch(run -> OraclePlan.of(run.seed(), kind, false).readsOnce());
        report.runs().replaceAll(run -> new OracleReport.Run(run.seed(), 1, 10, 0, 1));
        assertThat(report.wrong(kind)).hasSize(100);
        assertThat(report.hits())
                .containsOnlyKeys(
                        "training/worker-exception",
                        "training/task-manager-kill",
                        "training/task-manager-stop",
                        "training/server-kill",
                        "training/server-stop",
                        "finishing/task-manager-kill",
                        "finishing/task-manager-stop",
                        "finishing/server-kill",
                        "finishing/server-stop");
    }

    @Test
    void whatHasBegunIsUnfinishedUntilItEnds() {
        OracleReport report = OracleReport.empty(OracleKind.EXACTLY_ONCE, false);
        report.begun(7);
        report.begun(8);
        assertThat(report.unfinished()).containsExactly(7L, 8L);
        report.ended(new OracleReport.Run(7, 0, 10, 0, 0));
        assertThat(report.unfinished()).containsExactly(8L);
        assertThat(report.runs()).hasSize(1);
    }
}
