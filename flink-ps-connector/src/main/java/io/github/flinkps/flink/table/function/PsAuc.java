package io.github.flinkps.flink.table.function;

import org.apache.flink.table.catalog.DataTypeFactory;
import org.apache.flink.table.types.DataType;

/**
 * {@code PS_AUC(score, label [, weight])}: the exact area under the ROC curve, ties counting half;
 * NULL unless both labels occur. Labels are 1 or TRUE, and 0, -1 or FALSE. Keeps an entry for each
 * different score, and sorts them for each result.
 */
public final class PsAuc extends MetricFunction<AucAccumulator> {
    /** The name in SQL. */
    public static final String NAME = "PS_AUC";

    private static final long serialVersionUID = 1L;

    public PsAuc() {
        super(
                MetricArguments.weighted(
                        NAME, "score", MetricArguments.Kind.NUMBER, MetricArguments.Kind.TRUTH));
    }

    @Override
    protected DataType accumulatorType(DataTypeFactory types) {
        return AucAccumulator.dataType(types);
    }

    @Override
    public AucAccumulator createAccumulator() {
        return new AucAccumulator();
    }

    @Override
    protected void add(AucAccumulator kept, Object score, Object label, double last, int times)
            throws Exception {
        kept.add(score(score), positive(label), weight(last), times);
    }

    @Override
    protected void addAll(AucAccumulator kept, AucAccumulator other) throws Exception {
        kept.add(other);
    }

    @Override
    public Double getValue(AucAccumulator kept) {
        try {
            return kept.auc();
        } catch (Exception e) {
            throw new IllegalStateException("the scores of " + NAME + " cannot be read", e);
        }
    }
}
