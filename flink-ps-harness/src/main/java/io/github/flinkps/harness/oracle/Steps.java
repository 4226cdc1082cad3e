package io.github.flinkps.harness.oracle;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.InitializerSpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.algorithm.Gradients;
import io.github.flinkps.flink.algorithm.KeyCollector;
import io.github.flinkps.flink.algorithm.Parameters;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.model.RowBlock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Tables whose optimizers step with the mean gradient, decay rows that no push touches, keep slots
 * and follow a schedule. Their gradients are such that the values say how many steps they are made
 * of, whatever the order of pushes; so tables, partitions and rows can be compared with each other
 * and with the steps that a cut has counted. One thread.
 *
 * <ul>
 *   <li>{@code pushes}: 1 for each mini-batch.
 *   <li>{@code steps}: sgd; each row's gradient is its weight, so that the mean is 1.
 *   <li>{@code means}: the same, to the key that a row shares with others; the sum over all keys,
 *       which lie in several partitions, is as that of {@code steps}.
 *   <li>{@code decays}: sgd with l2 and gradient 0: each row shrinks by one factor in every step.
 *   <li>{@code moments}: adam with the mean gradient 1, whose step is the rate of its schedule.
 * </ul>
 */
final class Steps {
    private static final String PUSHES = "pushes";
    private static final String STEPS = "steps";
    private static final String MEANS = "means";
    private static final String DECAYS = "decays";
    private static final String MOMENTS = "moments";
    static final List<String> TABLES = List.of(PUSHES, STEPS, MEANS, DECAYS, MOMENTS);

    private static final int KEYS = OracleModel.SHARED_KEYS;
    private static final double RATE = 1.0 / 1024;
    private static final double SHRINKING_RATE = 1.0 / 16;
    private static final double L2 = 1.0 / 64;
    private static final float INITIAL = 4;
    private static final double SCHEDULE_STEPS = 100;

    /** The distance from a whole number of steps that a value may have for want of digits. */
    private static final double ROUNDING = .25;

    /**
     * The share by which Adam's values may differ: its bias corrections where a round had no push,
     * and its digits.
     */
    private static final double ADAM_SHARE = .02;

    /** Values by table and key; at first those of rows that nobody has pushed. */
    private final double[][] values = new double[TABLES.size()][KEYS];

    /** Steps that the rows of {@link #DECAYS} say they are up to date with. */
    private final int[] upToDate = new int[KEYS];

    private final List<String> findings = new ArrayList<>();
    private final boolean rounds;
    private final boolean retained;
    private final int leastWorkers;
    private final int mostWorkers;

    /**
     * @param kind of training: whether a step is a round or a push
     * @param retained whether workers retain updates: what they push at the end counts as a
     *     mini-batch in the means of its round
     * @param leastWorkers of all the run's jobs so far
     * @param mostWorkers of them
     */
    Steps(ConsistencySpec.Kind kind, boolean retained, int leastWorkers, int mostWorkers) {
        this.rounds = kind == ConsistencySpec.Kind.BSP;
        this.retained = retained;
        this.leastWorkers = leastWorkers;
        this.mostWorkers = mostWorkers;
        Arrays.fill(values(DECAYS), INITIAL);
    }

    /** Returns the tables, in their order. */
    static List<TableSpec> tables() {
        UpdateSpec sgd = new UpdateSpec("sgd", Map.of("learning-rate", RATE));
        UpdateSpec shrinking =
                new UpdateSpec("sgd", Map.of("learning-rate", SHRINKING_RATE, "l2", L2));
        UpdateSpec adam =
                new UpdateSpec(
                        "adam",
                        Map.of("learning-rate", RATE, "inverse-sqrt-steps", SCHEDULE_STEPS));
        return List.of(
                TableSpec.dense(PUSHES, 1, 1, UpdateSpec.of("add")),
                TableSpec.dense(STEPS, 1, 1, sgd),
                TableSpec.sparse(MEANS, 1, sgd).withPartitions(4),
                TableSpec.dense(DECAYS, KEYS, 1, shrinking)
                        .withInitializer(InitializerSpec.constant(INITIAL), 0),
                TableSpec.dense(MOMENTS, 1, 1, adam));
    }

    private static int inModel(String table) {
        return OracleModel.FIRST_OF_STEPS + TABLES.indexOf(table);
    }

    /** Touches what rows touch; of {@link #DECAYS} one key alone, so that others wait. */
    static void touch(RowBatch rows, int from, int to, KeyCollector keys) {
        for (int row = from; row < to; row++) {
            keys.add(inModel(MEANS), rows.keys()[rows.rowStart(row)] % KEYS);
        }
        keys.add(inModel(DECAYS), rows.keys()[rows.rowStart(from)] % KEYS);
        for (String table : List.of(PUSHES, STEPS, MOMENTS)) {
            keys.range(inModel(table), 0, 1);
        }
    }

    /** Adds the gradients of rows. */
    static void gradients(
            RowBatch rows, int from, int to, Parameters parameters, Gradients gradients) {
        float weight = (float) rows.weightSum(from, to);
        gradients.values(inModel(PUSHES))[0] += 1;
        gradients.values(inModel(STEPS))[0] += weight;
        gradients.values(inModel(MOMENTS))[0] += weight;
        int[] positions = parameters.positions(inModel(MEANS));
        float[] means = gradients.values(inModel(MEANS));
        for (int row = from; row < to; row++) {
            means[positions[row - from]] += (float) rows.weightSum(row, row + 1);
        }
    }

    /** Takes rows of one of {@link #TABLES}; a later one of the same key takes the place. */
    void take(String table, RowBlock rows) {
        for (int row = 0; row < rows.rows(); row++) {
            int key = Math.toIntExact(rows.keys()[row]);
            values(table)[key] = rows.values()[row];
            if (rows.steps() != null) {
                upToDate[key] = rows.steps()[row];
            }
        }
    }

    /** Returns the whole number that a value is within {@link #ROUNDING}, or notes a finding. */
    private long whole(String what, double steps) {
        if (!(Math.abs(steps - Math.rint(steps)) <= ROUNDING)) {
            findings.add("%s is of %s steps".formatted(what, steps));
        }
        return Math.round(steps);
    }

    /**
     * Returns what differs in a cut.
     *
     * @param counted steps of each partition
     */
    List<String> cut(long[] counted) {
        long total = Arrays.stream(counted).max().orElse(0);
        if (Arrays.stream(counted).anyMatch(steps -> steps != total)) {
            findings.add("partitions have counted " + Arrays.toString(counted) + " steps");
        }
        long[] decayed = decayed();
        for (int key = 0; key < KEYS; key++) {
            if (decayed[key] != upToDate[key] || decayed[key] > total) {
                findings.add(
                        "row %d of %s has decayed in %d steps, and says %d of %d"
                                .formatted(key, DECAYS, decayed[key], upToDate[key], total));
            }
        }
        return differences(total);
    }

    /** Returns what differs in a model that was saved, whose rows are all up to date. */
    List<String> model() {
        long[] decayed = decayed();
        if (Arrays.stream(decayed).anyMatch(steps -> steps != decayed[0])) {
            findings.add(DECAYS + " has decayed in " + Arrays.toString(decayed) + " steps");
        }
        return differences(decayed[0]);
    }

    private long[] decayed() {
        double[] rows = values(DECAYS);
        long[] decayed = new long[KEYS];
        for (int key = 0; key < KEYS; key++) {
            double shrunk = Math.log(rows[key] / INITIAL) / Math.log1p(-SHRINKING_RATE * L2);
            decayed[key] = whole("row " + key + " of " + DECAYS, shrunk);
        }
        return decayed;
    }

    private double[] values(String table) {
        return values[TABLES.indexOf(table)];
    }

    private List<String> differences(long total) {
        double mean = -values(STEPS)[0] / RATE;
        double means = -Arrays.stream(values(MEANS)).sum() / RATE;
        long steps = rounds && retained ? (long) Math.ceil(mean - ROUNDING) : whole(STEPS, mean);
        double pushes = values(PUSHES)[0];
        double moments = values(MOMENTS)[0];
        if (!(Math.abs(means - mean) <= ROUNDING)) {
            findings.add(
                    String.format(
                            Locale.ROOT,
                            "the sum of %s is of %.2f steps, %s of %.2f",
                            MEANS,
                            means,
                            STEPS,
                            mean));
        }
        if (steps > total) {
            findings.add("%s is of %d steps of %d".formatted(STEPS, steps, total));
        }
        double most = rounds ? (double) total * mostWorkers : steps;
        if (!(pushes >= steps && pushes <= most)) {
            findings.add("%s pushes make %d steps".formatted(pushes, steps));
        }
        double least = (1 - ADAM_SHARE) * rates(Math.max(0, total - steps), total, leastWorkers);
        double greatest = (1 + ADAM_SHARE) * rates(0, steps, mostWorkers);
        if (!(-moments >= least && -moments <= greatest)) {
            findings.add(
                    "%s is %s, not %s to %s after %d steps of %d"
                            .formatted(MOMENTS, moments, -least, -greatest, steps, total));
        }
        return List.copyOf(findings);
    }

    /** Returns the sum of the schedule's rates of steps. */
    private double rates(long from, long to, int workers) {
        int perRound = rounds ? 1 : workers;
        double sum = 0;
        for (long step = from; step < to; step++) {
            double round = Math.floor((double) step / perRound);
            sum += RATE * Math.sqrt(SCHEDULE_STEPS / (SCHEDULE_STEPS + round));
        }
        return sum;
    }
}
