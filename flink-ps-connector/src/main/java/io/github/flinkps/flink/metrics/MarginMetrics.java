package io.github.flinkps.flink.metrics;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Accuracy, exact area under the ROC curve and mean hinge loss of margins, which are positive for
 * label 1 and may be any number; weighted.
 */
public final class MarginMetrics implements Evaluation {
    private final RankedScores ranked = new RankedScores();
    private long rows;
    private double weightSum;
    private double hingeSum;
    private double rightSum;

    @Override
    public void add(float[] scores, int at, float label, float weight) {
        float margin = scores[at];
        if (!Float.isFinite(margin) || !(label == 0 || label == 1) || !(weight >= 0)) {
            throw new IllegalArgumentException(
                    "no score, label and weight: " + margin + ", " + label + ", " + weight);
        }
        ranked.add(margin, label, weight);
        rows++;
        weightSum += weight;
        hingeSum += weight * Math.max(0, 1 - (label == 1 ? margin : -(double) margin));
        rightSum += margin >= 0 == (label == 1) ? weight : 0;
    }

    @Override
    public long rows() {
        return rows;
    }

    @Override
    public Map<String, Double> results() {
        Map<String, Double> results = new LinkedHashMap<>();
        results.put("hinge", hingeSum / weightSum);
        results.put("auc", ranked.auc());
        results.put("accuracy", rightSum / weightSum);
        return results;
    }
}
