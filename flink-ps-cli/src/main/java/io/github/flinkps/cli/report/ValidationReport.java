package io.github.flinkps.cli.report;

import io.github.flinkps.cli.job.TrainResult;
import java.util.Collections;
import java.util.List;

/**
 * The losses of the validation rows, which do not train.
 *
 * @param rows their number
 * @param losses per pass their mean loss
 * @param bestEpoch the pass, from 1, of the lowest, whose model is saved
 */
public record ValidationReport(long rows, List<Double> losses, int bestEpoch) {
    /** Returns the report of a training, or null if no rows validated. */
    static ValidationReport of(TrainResult result) {
        List<Double> losses = result.losses().validation();
        return losses.isEmpty()
                ? null
                : new ValidationReport(
                        result.rows().validated(),
                        losses,
                        1 + losses.indexOf(Collections.min(losses)));
    }
}
