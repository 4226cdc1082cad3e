package io.github.flinkps.cli.oracle;

import io.github.flinkps.flink.Guarantee;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What {@code oracle --report} writes.
 *
 * @param runs in the order of their seeds
 * @param hits how often each fault happened in each phase, {@code phase/fault}, all that can happen
 */
public record OracleReport(List<Run> runs, Map<String, Integer> hits) {
    /**
     * A run.
     *
     * @param seed that replays it
     * @param recoveries how often its jobs began anew, by themselves or from a savepoint
     * @param keys that were compared, in the model and in all cuts
     * @param lost keys with less than there must be
     * @param doubled keys with more
     */
    public record Run(long seed, int recoveries, long keys, long lost, long doubled) {}

    /** Of runs that have just begun. */
    static OracleReport empty() {
        Map<String, Integer> hits = new TreeMap<>();
        Strike.ALL.forEach(strike -> hits.put(strike.text(), 0));
        return new OracleReport(new ArrayList<>(), hits);
    }

    void hit(Strike strike) {
        hits.merge(strike.text(), 1, Integer::sum);
    }

    /** Runs in which something was lost, or doubled where nothing may be. */
    List<Run> wrong(Guarantee guarantee) {
        boolean once = guarantee == Guarantee.EXACTLY_ONCE;
        return runs.stream().filter(run -> run.lost() > 0 || once && run.doubled() > 0).toList();
    }

    /** What can happen and did not. */
    List<String> unmet() {
        return hits.entrySet().stream()
                .filter(hit -> hit.getValue() == 0)
                .map(Map.Entry::getKey)
                .toList();
    }
}
