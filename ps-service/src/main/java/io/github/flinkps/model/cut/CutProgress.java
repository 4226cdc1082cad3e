package io.github.flinkps.model.cut;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The progress of workers at a cut.
 *
 * @param worker of the attempt, from 0; of several together -1
 * @param workers of the attempt
 * @param trainedRows since the job began, over all passes
 * @param lossSum losses of the rows since the cut before, each before it trained, times its weight
 * @param weightSum weights of those rows
 */
public record CutProgress(
        int worker, int workers, long trainedRows, double lossSum, double weightSum) {
    /**
     * @throws IllegalArgumentException if there can be no such worker
     */
    public CutProgress {
        if (worker >= workers || trainedRows < 0 || !(weightSum >= 0)) {
            throw new IllegalArgumentException(
                    "worker " + worker + " of " + workers + " after " + trainedRows + " rows");
        }
    }

    static CutProgress sum(List<CutProgress> all) {
        return new CutProgress(
                -1,
                all.get(0).workers(),
                all.stream().mapToLong(CutProgress::trainedRows).sum(),
                all.stream().mapToDouble(CutProgress::lossSum).sum(),
                all.stream().mapToDouble(CutProgress::weightSum).sum());
    }

    /**
     * Returns the progress as facts of a model; with the mean loss only if a row has trained since
     * the cut before.
     */
    public Map<String, String> facts() {
        Map<String, String> facts = new TreeMap<>();
        facts.put("trained-rows", Long.toString(trainedRows));
        if (weightSum > 0) {
            facts.put("training-loss", String.format(Locale.ROOT, "%.5f", lossSum / weightSum));
        }
        return facts;
    }
}
