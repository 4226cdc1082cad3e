package io.github.flinkps.flink.training.worker;

import io.github.flinkps.client.Exchange;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.service.ServiceException;
import io.github.flinkps.flink.training.TrainingException;
import io.github.flinkps.flink.training.rows.KeyGatherer;
import io.github.flinkps.flink.training.rows.MiniBatch;
import io.github.flinkps.flink.training.rows.PlannedBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Trains mini-batches one after the other without being a worker: pulls, scores, pushes, and waits
 * for each. Every push is one step of the partitions it touches. For one thread, which waits for
 * the servers at most as long as the timeout says.
 */
public final class StepTrainer {
    private final ModelSession session;
    private final TrainingModel model;
    private final Duration timeout;
    private final long seed;
    private final KeyGatherer gatherer;
    private final PulledBatch place;
    private long batches;

    /**
     * The scores and the loss of a mini-batch before it trained.
     *
     * @param scores {@link TrainingModel#scoresPerRow} each, row by row
     * @param loss the sum of the rows' losses, each times its weight
     * @param weight the sum of their weights
     */
    public record Step(float[] scores, double loss, double weight) {}

    /**
     * @param session of a plain client with the model, whose tables are there; stays the caller's
     * @param seed of models that draw at random
     */
    public StepTrainer(ModelSession session, TrainingModel model, Duration timeout, long seed)
            throws TrainingException {
        this.session = session;
        this.model = model;
        this.timeout = timeout;
        this.seed = seed;
        List<TableSpec> tables = new ArrayList<>();
        for (TableSpec table : model.tables()) {
            String what = "looking for table '" + table.name() + "'";
            tables.add(await(session.describe(table.name()), what));
        }
        this.gatherer = new KeyGatherer(model, tables, session);
        this.place = new PulledBatch(tables);
    }

    /**
     * Scores all rows, then trains them in one step.
     *
     * @throws TrainingException if the servers do not answer, or a gradient is not finite, in which
     *     case nothing was trained
     * @throws IllegalArgumentException naming a key that lies outside its table
     */
    public Step train(RowBatch rows) throws TrainingException {
        MiniBatch batch = new MiniBatch(rows, 0, rows.rows());
        PlannedBatch planned = new PlannedBatch(batch, 0, batches++);
        gatherer.prepare(batch, planned.seed(seed, 0));
        place.assign(planned);
        Exchange pull = session.exchange().timeout(timeout);
        place.pull(pull);
        await(pull.send(), "pulling the parameters of " + rows.rows() + " rows");
        place.clearGradients();
        float[] scores = new float[Math.multiplyExact(rows.rows(), model.scoresPerRow())];
        model.score(rows, 0, rows.rows(), place, scores, 0);
        double loss = model.gradients(rows, 0, rows.rows(), place, place.gradients());
        Exchange push = session.exchange().timeout(timeout);
        try {
            place.push(push);
        } catch (PsException e) {
            if (e.code() == ErrorCode.NOT_FINITE) {
                throw planned.notFinite("a gradient", 0, e);
            }
            throw e;
        }
        await(push.send(), "pushing the updates of " + rows.rows() + " rows");
        return new Step(scores, loss, batch.weight);
    }

    private <T> T await(CompletableFuture<T> future, String what) throws TrainingException {
        try {
            return future.get(2 * timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TrainingException(what + " was interrupted", e);
        } catch (TimeoutException e) {
            throw new TrainingException(what + " took longer than timeout " + timeout, e);
        } catch (ExecutionException e) {
            throw new TrainingException(what + " failed", ServiceException.unwrap(e));
        }
    }
}
