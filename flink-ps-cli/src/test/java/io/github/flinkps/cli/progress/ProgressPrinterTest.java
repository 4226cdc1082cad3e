package io.github.flinkps.cli.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.cli.TestingTerminal;
import org.junit.jupiter.api.Test;

/** The lines in which a training's progress is shown. */
class ProgressPrinterTest {
    private final TestingTerminal terminal = new TestingTerminal(120);
    private final ProgressPrinter printer = new ProgressPrinter(terminal.terminal(), "logloss", 3);

    /** Makes a point of seven passes over 600 rows; what is alike in all tests is set here. */
    private static ProgressPoint point(
            boolean end, double loss, double auc, double validationLoss, int bestEpoch) {
        return new ProgressPoint(
                12.5,
                2,
                7,
                end,
                end ? 600 : 300,
                end ? 1 : .5,
                end ? 1200 : 900,
                4000,
                loss,
                loss,
                auc,
                Double.isNaN(auc) ? 0 : 100,
                validationLoss,
                bestEpoch,
                9,
                1,
                1000,
                2000,
                1500);
    }

    @Test
    void aPassGoesOnInOnePlace() {
        printer.point(point(false, .3, .75, Double.NaN, 0));
        assertThat(terminal.screen())
                .containsExactly(
                        "epoch 2/7 50%  logloss 0.3000  auc 0.7500  4,000 rows/s  1.5 kB/s  lag 1"
                                + "  3 servers");
        printer.point(point(false, .2, Double.NaN, Double.NaN, 0));
        assertThat(terminal.screen())
                .as("without a sample there is no AUC")
                .containsExactly(
                        "epoch 2/7 50%  logloss 0.2000  4,000 rows/s  1.5 kB/s  lag 1  3 servers");
        printer.point(point(false, Double.NaN, .75, Double.NaN, 0));
        assertThat(terminal.screen().get(0))
                .as("the loss heard last")
                .contains("logloss 0.2000  auc 0.7500");
    }

    @Test
    void theEndOfAPassTakesItsStatusAway() {
        printer.point(point(false, .3, .75, Double.NaN, 0));
        printer.point(point(true, .2, .75, Double.NaN, 0));
        assertThat(terminal.screen())
                .containsExactly(
                        "epoch 2/7  600 rows  logloss 0.2000  auc 0.7500  4,000 rows/s  12.5 s",
                        "");
    }

    @Test
    void theEndOfAPassStays() {
        printer.point(point(true, .3, .75, Double.NaN, 0));
        printer.point(point(true, .3, Double.NaN, .25, 2));
        printer.point(point(true, .3, Double.NaN, .25, 1));
        assertThat(terminal.screen())
                .containsExactly(
                        "epoch 2/7  600 rows  logloss 0.3000  auc 0.7500  4,000 rows/s  12.5 s",
                        "epoch 2/7  600 rows  logloss 0.3000  validation 0.2500  4,000 rows/s"
                                + "  12.5 s",
                        "epoch 2/7  600 rows  logloss 0.3000  validation 0.2500 (best in epoch 1)"
                                + "  4,000 rows/s  12.5 s",
                        "");
    }

    @Test
    void aNarrowTerminalGetsNarrowGaps() {
        TestingTerminal narrow = new TestingTerminal(80);
        new ProgressPrinter(narrow.terminal(), "logloss", 1)
                .point(point(false, .3, .75, Double.NaN, 0));
        assertThat(narrow.screen())
                .containsExactly(
                        "epoch 2/7 50% logloss 0.3000 auc 0.7500 4,000 rows/s 1.5 kB/s lag 1"
                                + " 1 server");
    }
}
