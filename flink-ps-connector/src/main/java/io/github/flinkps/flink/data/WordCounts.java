package io.github.flinkps.flink.data;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts how often words occur in a share of an input. Belongs to one thread. */
final class WordCounts implements WordsFormat.WordConsumer {
    private final WordTable table = new WordTable();
    private long[] counts = new long[1 << 8];

    @Override
    public void word(byte[] buffer, int from, int to) {
        int number = table.add(buffer, from, to);
        if (number == counts.length) {
            counts = Arrays.copyOf(counts, 2 * number);
        }
        counts[number]++;
    }

    /** Returns the words that occur so often in all shares together, the most frequent first. */
    static List<String> frequent(List<WordCounts> shares, int minCount) {
        Map<String, Long> sums = new HashMap<>();
        for (WordCounts share : shares) {
            for (int i = 0; i < share.table.size(); i++) {
                sums.merge(share.table.word(i), share.counts[i], Long::sum);
            }
        }
        return sums.entrySet().stream()
                .filter(entry -> entry.getValue() >= minCount)
                .sorted(
                        Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                                .thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .toList();
    }
}
