package io.github.flinkps.benchmarks.peers;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The costs of a program and the quality of its model; NaN where that is not known.
 *
 * @param cost of the whole process
 * @param trainSeconds of reading and training alone
 * @param bytesPerRow on the wire, both ways
 * @param logloss of test rows
 * @param auc of test rows
 */
record Figures(
        ProcessCost cost, double trainSeconds, double bytesPerRow, double logloss, double auc) {
    /** Returns the median of each figure, the middle ones' lower if their number is even. */
    static Figures median(List<Figures> runs) {
        return new Figures(
                new ProcessCost(
                        median(runs, each -> each.cost().seconds()),
                        median(runs, each -> each.cost().cpuSeconds()),
                        median(runs, each -> each.cost().peakBytes())),
                median(runs, Figures::trainSeconds),
                median(runs, Figures::bytesPerRow),
                median(runs, Figures::logloss),
                median(runs, Figures::auc));
    }

    static double median(List<Figures> runs, ToDoubleFunction<Figures> figure) {
        return median(runs.stream().mapToDouble(figure).toArray());
    }

    /** Returns the middle of some numbers, of two the lower; NaN for none. */
    static double median(double[] numbers) {
        double[] sorted = numbers.clone();
        Arrays.sort(sorted);
        return sorted.length == 0 ? Double.NaN : sorted[(sorted.length - 1) / 2];
    }
}
