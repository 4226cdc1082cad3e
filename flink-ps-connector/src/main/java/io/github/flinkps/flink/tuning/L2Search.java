package io.github.flinkps.flink.tuning;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.algorithm.FieldAwareFactorizationMachine;
import io.github.flinkps.flink.algorithm.ModelOption;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.algorithm.TrainingModels;
import io.github.flinkps.flink.algorithm.TuningRule;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/** Finds how strongly a model of some options is best held back, by a few of its rows. */
final class L2Search {
    static final String L2 = "l2";
    static final String FACTOR_L2 = "factor-l2";

    /** Strengths by the number of rows: their prior, in the reading of L2 as a Gaussian one. */
    private static final List<Double> OF_ALL_ROWS =
            List.of(0., .1, .3, 1., 3., 10., 30., 100., 300.);

    /** Strengths of factors, for the loss of one row. */
    private static final List<Double> OF_A_ROW = List.of(.1, .03, .01, .003, .001, 0.);

    private static final int FEWEST_ROWS = 500;

    /** Most products that a search may cost. */
    private static final double MOST_WORK = 6e9;

    /** The same where there are factors or layers, whose products take longer. */
    private static final double MOST_WORK_OF_FACTORS = 2e9;

    /** The factor by which a search of few rows may cost more. */
    private static final int BEYOND = 4;

    /** The least share of the passes by which strengths are compared. */
    private static final double LEAST_SHARE = .2;

    /** Most values of a model in a search, which holds some thirty times as many. */
    private static final long MOST_VALUES = 1 << 20;

    /** Options that a search does without: its keys are few, and counted from 0. */
    private static final Set<String> OF_KEYS =
            Set.of(
                    ModelOption.FEATURES.name(),
                    ModelOption.KEY_BITS.name(),
                    ModelOption.PARTITIONS.name());

    private final String algorithm;
    private final TuningRule.Kind kind;
    private final Map<String, String> options;
    private final boolean falls;
    private final RowBatch sample;
    private final long seed;

    /**
     * @param options for which it is, with a rate
     * @param falls whether the rate falls to the end of the search
     */
    L2Search(
            String algorithm,
            Map<String, String> options,
            boolean falls,
            RowBatch sample,
            long seed) {
        this.algorithm = algorithm;
        this.kind = TrainingModels.factory(algorithm).tuning(options).orElseThrow().kind();
        this.options = new TreeMap<>(options);
        this.falls = falls;
        this.sample = sample;
        this.seed = seed;
    }

    /** Returns the best L2 for the sum of all rows' losses. Blocks the calling thread. */
    double l2() {
        double most = kind == TuningRule.Kind.WEIGHTS ? MOST_WORK : MOST_WORK_OF_FACTORS;
        OptionalInt best =
                search(OF_ALL_ROWS.size(), most)
                        .best((i, rows) -> model(Map.of(L2, OF_ALL_ROWS.get(i) / rows)));
        return best.isPresent() ? OF_ALL_ROWS.get(best.getAsInt()) : 1;
    }

    /**
     * Two strengths.
     *
     * @param l2 for the sum of all rows' losses; null where the options have one
     * @param ofFactors for the loss of a row; null where the options have one
     */
    private record Strengths(Double l2, Double ofFactors) {
        Map<String, Double> options(long rows, double share) {
            Map<String, Double> options = new HashMap<>();
            if (l2 != null) {
                options.put(L2, l2 / rows);
            }
            if (ofFactors != null) {
                options.put(FACTOR_L2, ofFactors * share);
            }
            return options;
        }
    }

    /**
     * Returns the best options that hold a model with factors back, those of them that are not
     * given. L2, which holds its factors back too, is what suits its weights alone, or 0 where
     * pairs are learned by that. More rows than those searched need less L2 of factors: by the root
     * of their ratio, which lies between what does not change with their number and what holds the
     * sum of them back. Blocks the calling thread.
     *
     * @param ofWeights the L2 of weights for the sum of all rows' losses
     * @param count the number of rows that the model will be trained on
     */
    Map<String, Double> ofFactors(double ofWeights, long count) {
        List<Strengths> all = new ArrayList<>();
        for (Double l2 : unlessGiven(L2, ofWeights == 0 ? List.of(0.) : List.of(ofWeights, 0.))) {
            for (Double factors : unlessGiven(FACTOR_L2, OF_A_ROW)) {
                all.add(new Strengths(l2, factors));
            }
        }
        if (all.size() == 1) {
            return all.get(0).options(count, 1);
        }
        StrengthSearch search = search(all.size(), MOST_WORK_OF_FACTORS);
        OptionalInt best = search.best((i, rows) -> model(all.get(i).options(rows, 1)));
        return all.get(best.orElse(0))
                .options(count, Math.min(1, Math.sqrt((double) search.rows() / count)));
    }

    private List<Double> unlessGiven(String option, List<Double> strengths) {
        return options.containsKey(option) ? Collections.singletonList(null) : strengths;
    }

    private TrainingModel model(Map<String, Double> more) {
        Map<String, String> all = new TreeMap<>(options);
        more.forEach((option, value) -> all.put(option, Double.toString(value)));
        return TrainingModels.create(algorithm, all);
    }

    private StrengthSearch search(int candidates, double mostWork) {
        List<TableSpec> tables = TrainingModels.create(algorithm, options).tables();
        RowBatch rows = affordable(candidates, tables, mostWork);
        StepPlan plan = StepPlan.of(kind, rows.rows());
        double share = BEYOND * mostWork / work(candidates, rows, tables);
        if (share < LEAST_SHARE || values(rows, tables) > BEYOND * MOST_VALUES) {
            rows = new RowBatchBuilder().build();
        } else if (share < 1) {
            plan = new StepPlan(plan.batchSize(), (int) Math.ceil(plan.epochs() * share));
        }
        options.keySet().removeAll(OF_KEYS);
        if (falls) {
            LearningDefaults.schedule(options, plan.steps(rows.rows()));
        }
        Numbering numbering = new Numbering(rows.keys(), fieldsOfKeys());
        return new StrengthSearch(
                candidates,
                numbering.of(rows),
                Math.max(1, numbering.keys()),
                plan,
                new StrengthSearch.Effort(
                        share >= StrengthSearch.FOLDS, kind != TuningRule.Kind.WEIGHTS, seed));
    }

    /**
     * Returns every n-th row, so many that the search takes seconds rather than minutes, and little
     * memory. Less rows take more passes, so that below some thousand little would be gained.
     */
    private RowBatch affordable(int candidates, List<TableSpec> tables, double mostWork) {
        RowBatch rows = sample;
        while (rows.rows() > StrengthSearch.MANY_ROWS && work(candidates, rows, tables) > mostWork
                || rows.rows() > FEWEST_ROWS && values(rows, tables) > MOST_VALUES) {
            RowBatchBuilder half = new RowBatchBuilder();
            for (int row = 0; row < rows.rows(); row += 2) {
                half.append(rows, row, row + 1);
            }
            rows = half.build();
        }
        return rows;
    }

    /** Returns the products of a search with one fold. */
    private double work(int candidates, RowBatch rows, List<TableSpec> tables) {
        double products =
                rows.rows() * dense(tables) + (double) rows.entries() * tables.get(0).width();
        return products * StepPlan.of(kind, rows.rows()).epochs() * candidates;
    }

    /** Returns the number of values of the model that rows have keys of. */
    private static double values(RowBatch rows, List<TableSpec> tables) {
        double keys = Arrays.stream(rows.keys()).distinct().count();
        return keys * tables.get(0).width() + dense(tables);
    }

    /** Returns the number of values that every row reads. */
    private static double dense(List<TableSpec> tables) {
        return tables.subList(1, tables.size()).stream()
                .mapToDouble(table -> (double) table.size() * table.width())
                .sum();
    }

    /** Returns the number of fields that keys tell; 1 where they tell none. */
    private int fieldsOfKeys() {
        String option = FieldAwareFactorizationMachine.FIELD_KEYS.name();
        return Boolean.parseBoolean(options.get(option))
                ? Integer.parseInt(options.get("fields"))
                : 1;
    }

    /** Counts the keys of each field from 0, and leaves them in their fields. */
    private static final class Numbering {
        private final Map<Long, Long> numbers = new HashMap<>();
        private final long[] counts;

        Numbering(long[] keys, int fields) {
            counts = new long[fields];
            for (long key : Arrays.stream(keys).distinct().sorted().toArray()) {
                int field = (int) Math.floorMod(key, (long) fields);
                numbers.put(key, counts[field]++ * fields + field);
            }
        }

        int keys() {
            return Math.toIntExact(Arrays.stream(counts).max().orElse(0) * counts.length);
        }

        RowBatch of(RowBatch rows) {
            long[] keys = Arrays.stream(rows.keys()).map(numbers::get).toArray();
            return RowBatch.of(
                    rows.labels(), rows.weights(), rows.rowStarts(), keys, rows.values());
        }
    }
}
