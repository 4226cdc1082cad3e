package io.github.flinkps.flink.table.function;

import io.github.flinkps.flink.metrics.BinaryMetrics;
import io.github.flinkps.flink.metrics.ClassMetrics;

/**
 * {@code PS_LOGLOSS(score, label [, weight])}: the mean of {@code -ln p(label)}. A score is the
 * probability of label 1, taken to lie between 1e-15 and 1 - 2^-24 as {@link BinaryMetrics} does;
 * labels are then 1 or TRUE, and 0, -1 or FALSE. Of several classes it is an ARRAY of their
 * probabilities, as {@link ClassMetrics} takes them; a label is then the place of one, from 0 on.
 */
public final class PsLogloss extends MeanFunction {
    /** The name in SQL. */
    public static final String NAME = "PS_LOGLOSS";

    private static final long serialVersionUID = 1L;

    private static final String PROBABILITY = "a probability between 0 and 1";

    public PsLogloss() {
        super(
                MetricArguments.weighted(
                        NAME, "score", MetricArguments.Kind.SCORES, MetricArguments.Kind.TRUTH));
    }

    @Override
    protected double term(Object score, Object label) {
        if (score instanceof Double[] scores) {
            return ofClasses(scores, label(label));
        }
        double probability = score(score);
        if (!(probability >= 0 && probability <= 1)) {
            throw refused("score", PROBABILITY, probability);
        }
        return BinaryMetrics.loss(probability, positive(label));
    }

    private double ofClasses(Double[] scores, double label) {
        int place = (int) label;
        if (place != label || place < 0 || place >= scores.length) {
            throw refused("label", "the place of a score, from 0 to " + (scores.length - 1), label);
        }
        Double probability = scores[place];
        if (probability == null || !(probability >= 0 && probability <= 1)) {
            throw refused("score", PROBABILITY + " for each class", probability);
        }
        return ClassMetrics.loss(probability);
    }
}
