package io.github.flinkps.flink.table.function;

/**
 * {@code PS_ACCURACY(prediction, label [, weight])}: the share of rows whose prediction is their
 * label. Both are texts, or both are numbers or BOOLEAN, of which TRUE is 1 and FALSE is 0.
 */
public final class PsAccuracy extends MeanFunction {
    /** The name in SQL. */
    public static final String NAME = "PS_ACCURACY";

    private static final long serialVersionUID = 1L;

    public PsAccuracy() {
        super(
                MetricArguments.weighted(
                        NAME,
                        "prediction",
                        MetricArguments.Kind.LABEL,
                        MetricArguments.Kind.LABEL));
    }

    @Override
    protected double term(Object prediction, Object label) {
        boolean right =
                prediction instanceof String
                        ? prediction.equals(label)
                        : score(prediction) == label(label);
        return right ? 1 : 0;
    }
}
