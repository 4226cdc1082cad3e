package io.github.flinkps.cli.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.flink.Guarantee;
import org.junit.jupiter.api.Test;

class OracleReportTest {
    @Test
    void whatDidNotHappenIsNamed() {
        OracleReport report = OracleReport.empty();
        assertThat(report.unmet()).hasSize(Strike.ALL.size());
        Strike last = new Strike(Phase.RESTORING, Fault.SERVER_STOP);
        Strike.ALL.stream().filter(strike -> !strike.equals(last)).forEach(report::hit);
        assertThat(report.unmet()).containsExactly("restoring/server-stop");
        report.hit(last);
        assertThat(report.unmet()).isEmpty();
    }

    @Test
    void aRunWithAWrongCountIsWrong() {
        OracleReport report = OracleReport.empty();
        OracleReport.Run lost = new OracleReport.Run(2, 0, 10, 1, 0);
        OracleReport.Run doubled = new OracleReport.Run(3, 0, 10, 0, 1);
        report.runs().add(new OracleReport.Run(1, 0, 10, 0, 0));
        report.runs().add(lost);
        report.runs().add(doubled);
        assertThat(report.wrong(Guarantee.EXACTLY_ONCE)).containsExactly(lost, doubled);
        assertThat(report.wrong(Guarantee.AT_LEAST_ONCE)).containsExactly(lost);
    }
}
