package io.github.flinkps.flink.algorithm;

import io.github.flinkps.flink.data.RowBatch;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Factorization machine of degree 2 (Rendle: Factorization machines, ICDM 2010): {@code z = bias +
 * sum of w[i] x[i] + sum over pairs i < j of <v[i], v[j]> x[i] x[j]}, computed in time linear in
 * the entries as {@code (|s|^2 - sum of |v[i] x[i]|^2) / 2}, {@code s = sum of v[i] x[i]}. With
 * option {@code task} classification the score is {@code 1 / (1 + exp(-z))} and the loss logloss,
 * with regression they are {@code z} and half the squared error.
 *
 * <p>Labels: 0 and 1, or any number. Measures: logloss, auc, accuracy; or rmse, mae. The table
 * {@code features} is sparse, or dense with option {@code features}. Its width is 1 + {@code
 * factors}: the weight and the factors of a feature in one row, so that its key travels once. The
 * table {@code bias} is dense, 1 x 1, not regularised.
 *
 * <pre>{@code
 * FactorizationMachine ratings =
 *         FactorizationMachine.builder().factors(8).task("regression").build();
 * }</pre>
 */
public final class FactorizationMachine extends FactorMachine {
    /** The name of the algorithm on the command line and in saved models. */
    public static final String NAME = "factorization-machine";

    static final List<ModelOption> OPTIONS =
            ReadingFactory.withFeatures(
                    FactorSpec.FACTORS,
                    FactorSpec.FACTOR_L2,
                    TaskLoss.TASK,
                    TaskLoss.LABEL_MEAN,
                    TaskLoss.LABEL_UNIT,
                    FactorSpec.INIT_STD,
                    FactorSpec.INIT_SEED);

    private static final long serialVersionUID = 1L;

    private final int factors;
    private transient double[] sums;

    FactorizationMachine(OptionReader reader) {
        this(reader, FactorSpec.of(reader));
    }

    private FactorizationMachine(OptionReader reader, FactorSpec spec) {
        super(NAME, reader, OPTIONS, FactorSpec.update(reader, OPTIONS), spec, 1 + spec.factors());
        this.factors = spec.factors();
    }

    @Override
    void addRow(
            RowBatch rows,
            int row,
            int first,
            int[] positions,
            float[] table,
            float[] gradient,
            double error) {
        float[] values = rows.values();
        double decay = decay(rows, row);
        for (int i = rows.rowStart(row); i < rows.rowStart(row + 1); i++) {
            int at = positions[i - first] * (1 + factors);
            double x = values == null ? 1 : values[i];
            gradient[at] += (float) (error * x);
            addFactors(gradient, table, at + 1, error * x, error * x * x - decay);
        }
    }

    /** Adds {@code scale * sums - own * factors}. */
    private void addFactors(float[] gradient, float[] table, int at, double scale, double own) {
        for (int f = 0; f < factors; f++) {
            gradient[at + f] += (float) (scale * sums[f] - own * table[at + f]);
        }
    }

    /** Leaves {@code s} in {@link #sums}. */
    @Override
    double sum(RowBatch rows, int row, int first, int[] positions, float[] table) {
        if (sums == null) {
            sums = new double[factors];
        }
        double[] sum = sums;
        Arrays.fill(sum, 0);
        float[] values = rows.values();
        double linear = 0;
        double squares = 0;
        for (int i = rows.rowStart(row); i < rows.rowStart(row + 1); i++) {
            int at = positions[i - first] * (1 + factors);
            double x = values == null ? 1 : values[i];
            linear += table[at] * x;
            for (int f = 0; f < factors; f++) {
                double part = table[at + 1 + f] * x;
                sum[f] += part;
                squares += part * part;
            }
        }
        double all = 0;
        for (int f = 0; f < factors; f++) {
            all += sum[f] * sum[f];
        }
        return linear + (all - squares) / 2;
    }

    /** Sets up a model; it has the defaults of its options until they are set. */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects the options of a model that {@link #builder} begins. */
    public static final class Builder extends ModelBuilder<FactorizationMachine, Builder>
            implements OptionSetter.OfFeatures<Builder>,
                    OptionSetter.OfFactors<Builder>,
                    OptionSetter.OfFactorL2<Builder>,
                    OptionSetter.OfTask<Builder>,
                    OptionSetter.OfRandomInit<Builder> {
        private Builder() {
            super(FactorizationMachine::new);
        }
    }

    /** Makes models from named options. */
    public static final class Factory extends ReadingFactory {
        public Factory() {
            super(
                    NAME,
                    "sparse features whose pairs matter, though most pairs are rare",
                    OPTIONS,
                    FactorizationMachine::new);
        }

        @Override
        public Optional<TuningRule> tuning(Map<String, String> given) {
            return TaskLoss.tuning(TuningRule.Kind.FACTORS, given);
        }
    }
}
