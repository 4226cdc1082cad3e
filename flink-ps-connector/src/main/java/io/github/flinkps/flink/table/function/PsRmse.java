package io.github.flinkps.flink.table.function;

/** {@code PS_RMSE(prediction, label [, weight])}: the root of the mean squared error. */
public final class PsRmse extends MeanFunction {
    /** The name in SQL. */
    public static final String NAME = "PS_RMSE";

    private static final long serialVersionUID = 1L;

    public PsRmse() {
        super(
                MetricArguments.weighted(
                        NAME,
                        "prediction",
                        MetricArguments.Kind.NUMBER,
                        MetricArguments.Kind.NUMBER));
    }

    @Override
    protected double term(Object prediction, Object label) {
        double error = score(prediction) - label(label);
        return error * error;
    }

    @Override
    public Double getValue(MeanAccumulator kept) {
        Double mean = super.getValue(kept);
        return mean == null ? null : Math.sqrt(mean);
    }
}
