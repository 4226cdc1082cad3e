package io.github.flinkps.harness.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The report that {@code oracle --report} writes.
 *
 * @param guarantee what the jobs were held to
 * @param runs that have ended, in the order of their seeds
 * @param unfinished seeds whose runs have begun and not ended, or could not
 * @param hits how often each fault happened in each phase, {@code phase/fault}, all that can happen
 */
public record OracleReport(
        String guarantee, List<Run> runs, List<Long> unfinished, Map<String, Integer> hits) {
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

    /** Returns the report before any run has begun. */
    static OracleReport empty(OracleKind kind, boolean machines) {
        Map<String, Integer> hits = new TreeMap<>();
        kind.strikes(machines).forEach(strike -> hits.put(strike.text(), 0));
        return new OracleReport(kind.text(), new ArrayList<>(), new ArrayList<>(), hits);
    }

    void hit(Strike strike) {
        hits.merge(strike.text(), 1, Integer::sum);
    }

    void begun(long seed) {
        unfinished.add(seed);
    }

    void ended(Run run) {
        unfinished.remove(run.seed());
        runs.add(run);
    }

    /** Runs in which more was lost or doubled than the kind of their jobs allows. */
    List<Run> wrong(OracleKind kind) {
        return runs.stream()
                .filter(
                        run ->
                                !kind.allows(
                                        OraclePlan.of(run.seed(), kind, false),
                                        run.lost(),
                                        run.doubled()))
                .toList();
    }

    /** Returns what can happen and did not. */
    List<String> unmet() {
        return hits.entrySet().stream()
                .filter(hit -> hit.getValue() == 0)
                .map(Map.Entry::getKey)
                .toList();
    }
}
