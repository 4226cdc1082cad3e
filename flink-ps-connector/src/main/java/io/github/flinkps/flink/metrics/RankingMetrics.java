package io.github.flinkps.flink.metrics;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Measures how high the right candidate ranks among candidates drawn at random, weighted. Of each
 * row the first score is that of the right one, the others are those of the candidates. These are
 * the sampled measures of He et al.: Neural collaborative filtering, WWW 2017.
 *
 * <ul>
 *   <li>{@code auc}: the share of candidates below the right one, ties counting half
 *   <li>{@code hit@10}: whether the right one is among the first ten
 *   <li>{@code precision@10}: how many of the first ten are right, divided by ten: a tenth of hit
 *   <li>{@code ndcg@10}: 1 / log2(1 + rank) if the rank is at most ten, else 0
 * </ul>
 *
 * Exact for these candidates; for rank, hit and ndcg what ties with the right one stands above it.
 */
public final class RankingMetrics implements Evaluation {
    private static final int CUT = 10;

    private final int candidates;
    private long rows;
    private double weightSum;
    private double aucSum;
    private double hitSum;
    private double gainSum;

    /** Makes metrics for {@code 1 + candidates} scores a row. */
    public RankingMetrics(int candidates) {
        this.candidates = candidates;
    }

    @Override
    public void add(float[] scores, int at, float label, float weight) {
        float right = scores[at];
        if (!Float.isFinite(right) || !(weight >= 0)) {
            throw new IllegalArgumentException("no score and weight: " + right + ", " + weight);
        }
        int above = 0;
        int level = 0;
        for (int i = 1; i <= candidates; i++) {
            above += scores[at + i] > right ? 1 : 0;
            level += scores[at + i] == right ? 1 : 0;
        }
        int rank = 1 + above + level;
        rows++;
        weightSum += weight;
        aucSum += weight * (1 - (above + level / 2.0) / candidates);
        hitSum += rank <= CUT ? weight : 0;
        gainSum += rank <= CUT ? weight * TopRanks.gain(rank) : 0;
    }

    @Override
    public long rows() {
        return rows;
    }

    @Override
    public Map<String, Double> results() {
        Map<String, Double> results = new LinkedHashMap<>();
        results.put("auc", aucSum / weightSum);
        results.put("hit@10", hitSum / weightSum);
        results.put("precision@10", hitSum / weightSum / CUT);
        results.put("ndcg@10", gainSum / weightSum);
        return results;
    }
}
