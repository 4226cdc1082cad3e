package io.github.flinkps.flink.serving;

import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.OnBadRow;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.data.RowExtractor;
import io.github.flinkps.flink.training.scoring.ScoredRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.async.ResultFuture;
import org.apache.flink.streaming.api.functions.async.RichAsyncFunction;

/**
 * Predicts records of any type with a model as it is now. Each comes out beside the scores of its
 * rows, once for each row; {@link ScoredRow#row} counts those of a record.
 *
 * @param <T> the records
 */
public final class RecordPredictor<T> extends RichAsyncFunction<T, Tuple2<T, ScoredRow>> {
    private static final long serialVersionUID = 1L;

    private final TrainingModel model;
    private final PredictorSpec spec;
    private final RowExtractor<T> extractor;
    private final OnBadRow onBadRow;
    private transient Counter skippedRows;
    private transient RowBatchBuilder open;
    private transient PredictionQueue<RowBatch, float[]> queue;

    /**
     * @param extractor as in training
     */
    public RecordPredictor(
            TrainingModel model, PredictorSpec spec, RowExtractor<T> extractor, OnBadRow onBadRow) {
        this.model = model;
        this.spec = spec;
        this.extractor = extractor;
        this.onBadRow = onBadRow;
    }

    @Override
    public void open(OpenContext context) {
        skippedRows = getRuntimeContext().getMetricGroup().counter("skippedRows");
        open = new RowBatchBuilder();
        queue =
                new PredictionQueue<>(
                        new ModelPredictor(model, spec, System::nanoTime), this::scores);
    }

    @Override
    public void asyncInvoke(T record, ResultFuture<Tuple2<T, ScoredRow>> result) throws Exception {
        RowBatch rows = rows(record);
        queue.ask(rows)
                .whenComplete(
                        (scores, problem) -> {
                            if (problem == null) {
                                result.complete(scored(record, rows, scores));
                            } else {
                                result.completeExceptionally(problem);
                            }
                        });
    }

    private RowBatch rows(T record) throws Exception {
        try {
            extractor.extract(record, open);
        } catch (Exception e) {
            if (onBadRow == OnBadRow.FAIL) {
                throw e;
            }
            open.abandonRow();
            skippedRows.inc();
        }
        return open.build();
    }

    /** Scores several records, whose rows are scored together. */
    private List<float[]> scores(ModelPredictor predictor, List<RowBatch> records)
            throws ServingException {
        RowBatchBuilder together = new RowBatchBuilder();
        records.forEach(rows -> together.append(rows, 0, rows.rows()));
        float[] all = together.rows() == 0 ? new float[0] : predictor.score(together.build());
        List<float[]> scores = new ArrayList<>();
        int from = 0;
        for (RowBatch rows : records) {
            int to = from + rows.rows() * model.scoresPerRow();
            scores.add(Arrays.copyOfRange(all, from, to));
            from = to;
        }
        return scores;
    }

    private List<Tuple2<T, ScoredRow>> scored(T record, RowBatch rows, float[] scores) {
        int width = model.scoresPerRow();
        float[] weights = rows.weights();
        List<Tuple2<T, ScoredRow>> scored = new ArrayList<>();
        for (int row = 0; row < rows.rows(); row++) {
            scored.add(
                    Tuple2.of(
                            record,
                            new ScoredRow(
                                    rows.block(),
                                    row,
                                    rows.labels()[row],
                                    weights == null ? 1f : weights[row],
                                    Arrays.copyOfRange(scores, row * width, (row + 1) * width))));
        }
        return scored;
    }

    @Override
    public void close() {
        if (queue != null) {
            queue.close();
        }
    }
}
