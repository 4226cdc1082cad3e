package io.github.flinkps.flink.training.worker;

import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.metrics.RecentScores;
import io.github.flinkps.flink.training.rows.MiniBatch;
import java.util.function.LongSupplier;

/**
 * The area under the ROC curve of a model of labels 0 and 1 while it trains (progressive
 * validation). Now and then a mini-batch is scored before it trains, with the values that were
 * pulled for it. The last {@value #KEPT_ROWS} scores of the pass are ranked. In the first pass no
 * such row has trained before. So the figure is an estimate for unseen rows, if a noisy and
 * somewhat late one. In later passes the rows have trained before, and it is an estimate for the
 * training rows. A pass so short that no mini-batch was scored has no figure.
 *
 * <p>Measured time decides how often a mini-batch is scored. Scoring and ranking together take at
 * most a fiftieth of the time since the first mini-batch, waits for servers included. So a worker
 * slows down by no more than that. The first {@value #FREE_MILLIS} ms of scoring are free, so that
 * short trainings have a figure. The first scoring is not counted: it is slow as no other. Belongs
 * to the task's thread.
 */
public final class SampledAuc {
    static final int KEPT_ROWS = 4096;
    static final int FREE_MILLIS = 20;

    /** The share of the time since training began that sampling may take. */
    static final double SHARE = 0.02;

    /** Mini-batches above are not scored before it is known what that takes. */
    private static final int FIRST_ROWS = 4096;

    private static final long RANK_MILLIS = 100;

    private final TrainingModel model;
    private final LongSupplier nanos;
    private final RecentScores recent;
    private float[] scores = new float[0];
    private double nanosPerRow;
    private boolean begun;
    private boolean warm;
    private int epoch;
    private long begunNanos;
    private long spentNanos;
    private long rankedNanos;
    private int unrankedRows;

    /**
     * Samples for a model, if its kind has such a figure.
     *
     * @param nanos a clock, {@link System#nanoTime}
     */
    SampledAuc(TrainingModel model, LongSupplier nanos) {
        this.model = model;
        this.nanos = nanos;
        boolean binary = model.labels().kind() == Labels.Kind.BINARY && model.scoresPerRow() == 1;
        this.recent = binary ? new RecentScores(KEPT_ROWS) : null;
    }

    /** Scores a mini-batch that is about to train, if it is time to. */
    void beforeTraining(PulledBatch pulled) {
        MiniBatch batch = pulled.planned().batch();
        enter(pulled.planned().epoch());
        long now = nanos.getAsLong();
        if (!begun) {
            begun = true;
            begunNanos = now;
        }
        if (recent == null || !isDue(batch.size(), now - begunNanos)) {
            return;
        }
        if (scores.length < batch.size()) {
            scores = new float[batch.size()];
        }
        RowBatch rows = batch.rows;
        model.score(rows, batch.from, batch.to, pulled, scores, 0);
        for (int row = batch.from; row < batch.to; row++) {
            float weight = rows.weights() == null ? 1f : rows.weights()[row];
            recent.add(scores[row - batch.from], rows.labels()[row], weight);
        }
        unrankedRows += batch.size();
        if (!warm) {
            warm = true; // loading and compiling classes says nothing of what scoring takes
            return;
        }
        long took = nanos.getAsLong() - now;
        nanosPerRow = (double) took / batch.size();
        spentNanos += took;
    }

    /** Forgets the scores of earlier passes when a pass begins: they say nothing of it. */
    private void enter(int pass) {
        if (pass != epoch && recent != null) {
            epoch = pass;
            unrankedRows = 0;
            recent.clear();
        }
    }

    private boolean isDue(int rows, long elapsedNanos) {
        if (rows == 0 || nanosPerRow == 0 && rows > FIRST_ROWS) {
            return false;
        }
        double budget = FREE_MILLIS * 1e6 + SHARE * elapsedNanos;
        return spentNanos + rows * nanosPerRow <= budget;
    }

    /**
     * Brings {@link #auc} up to date, unless it was so a short while ago.
     *
     * @param pass of which it is to tell
     * @param end whether the pass is over
     */
    void rank(int pass, boolean end) {
        enter(pass);
        long now = nanos.getAsLong();
        boolean soon = rankedNanos != 0 && now - rankedNanos < RANK_MILLIS * 1_000_000;
        if (unrankedRows == 0 || soon && !end) {
            return;
        }
        recent.rank();
        unrankedRows = 0;
        rankedNanos = nanos.getAsLong();
        spentNanos += rankedNanos - now;
    }

    /** Returns the area in this pass when last ranked; NaN if it is not defined. */
    double auc() {
        return recent == null ? Double.NaN : recent.auc();
    }

    /**
     * Returns the pairs of rows that were ranked; the weight by which several workers' areas are
     * averaged.
     */
    double pairs() {
        return recent == null ? 0 : recent.pairs();
    }

    /** Returns the rows kept, all of this pass. */
    int rows() {
        return recent == null ? 0 : recent.rows();
    }

    /** Returns the nanoseconds spent on scoring and ranking, without the first scoring. */
    long spentNanos() {
        return spentNanos;
    }
}
