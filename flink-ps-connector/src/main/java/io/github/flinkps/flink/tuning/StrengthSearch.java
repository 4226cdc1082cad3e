package io.github.flinkps.flink.tuning;

import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Finds how strongly weights are to be held back, by cross-validation (Stone, 1974). Trains a model
 * of each strength on all folds of a few rows but one. Takes the strength of the least loss on the
 * rows left out.
 */
final class StrengthSearch {
    /** The number of rows from which on one fold of five says enough. */
    static final int MANY_ROWS = 3_000;

    /** The folds of a cross-validation. */
    static final int FOLDS = 5;

    private static final int AT_ONCE = 3;

    private final int candidates;
    private final RowBatch rows;
    private final int keys;
    private final StepPlan plan;
    private final Effort effort;

    /**
     * Says how a search goes about it.
     *
     * @param crossValidates whether few rows are tested in each fold, and not in one only
     * @param dropsTiny whether values that are lost beside others are dropped
     * @param seed of the order of rows
     */
    record Effort(boolean crossValidates, boolean dropsTiny, long seed) {}

    /** Makes the models that are compared. */
    interface Maker {
        /**
         * Returns a model of a strength.
         *
         * @param candidate the strength's number, counted from 0
         * @param trained the number of rows that the model is trained on
         */
        TrainingModel make(int candidate, int trained);
    }

    /**
     * @param candidates the number of strengths to choose from
     * @param rows whose keys are the indices below {@code keys}
     * @param plan how long to train, and in which steps
     */
    StrengthSearch(int candidates, RowBatch rows, int keys, StepPlan plan, Effort effort) {
        this.candidates = candidates;
        this.rows = rows;
        this.keys = keys;
        this.plan = plan;
        this.effort = effort;
    }

    int rows() {
        return rows.rows();
    }

    /**
     * Returns the number of the strength of the least loss, the first of several; empty where there
     * are too few rows to tell. Blocks the calling thread; runs on threads of its own.
     */
    OptionalInt best(Maker maker) {
        if (rows.rows() < 2 * FOLDS) {
            return OptionalInt.empty();
        }
        int folds = effort.crossValidates() && rows.rows() < MANY_ROWS ? FOLDS : 1;
        int threads = Math.min(2, Runtime.getRuntime().availableProcessors());
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<double[]>> parts = new ArrayList<>();
            for (int fold = 0; fold < folds; fold++) {
                for (int from = 0; from < candidates; from += AT_ONCE) {
                    int one = fold;
                    int first = from;
                    parts.add(executor.submit(() -> losses(maker, one, first)));
                }
            }
            double[] sums = new double[candidates];
            for (Future<double[]> part : parts) {
                double[] losses = part.get();
                Arrays.setAll(sums, i -> sums[i] + losses[i]);
            }
            return OptionalInt.of(least(sums));
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause().getMessage(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } finally {
            executor.shutdownNow();
        }
    }

    private static int least(double[] losses) {
        int least = 0;
        for (int i = 1; i < losses.length; i++) {
            if (losses[i] < losses[least] || Double.isNaN(losses[least])) {
                least = i;
            }
        }
        return least;
    }

    /** Returns the losses on one fold of the strengths from {@code first} on. */
    private double[] losses(Maker maker, int fold, int first) {
        List<Integer> order = new ArrayList<>();
        for (int row = 0; row < rows.rows(); row++) {
            order.add(row);
        }
        Collections.shuffle(order, new Random(effort.seed()));
        List<Integer> trained = new ArrayList<>();
        List<Integer> tested = new ArrayList<>();
        for (int i = 0; i < order.size(); i++) {
            (i % FOLDS == fold ? tested : trained).add(order.get(i));
        }
        List<TrainingModel> models = new ArrayList<>();
        for (int i = first; i < Math.min(first + AT_ONCE, candidates); i++) {
            models.add(maker.make(i, trained.size()));
        }
        Trial trial = new Trial(models, keys, effort.dropsTiny());
        Random random = new Random(effort.seed() + fold);
        long step = 0;
        for (int pass = 0; pass < plan.epochs(); pass++) {
            Collections.shuffle(trained, random);
            RowBatch all = select(trained);
            for (int from = 0; from < all.rows(); from += plan.batchSize()) {
                int to = Math.min(all.rows(), from + plan.batchSize());
                trial.train(all, from, to, ++step);
            }
        }
        double[] losses = new double[candidates];
        trial.addLosses(select(tested), losses, first);
        return losses;
    }

    private RowBatch select(List<Integer> chosen) {
        RowBatchBuilder builder = new RowBatchBuilder();
        chosen.forEach(row -> builder.append(rows, row, row + 1));
        return builder.build();
    }
}
