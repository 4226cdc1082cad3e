package io.github.flinkps.flink.training.worker;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.service.EarlyStopping;
import io.github.flinkps.flink.service.PassBarriers;
import io.github.flinkps.flink.training.TrainingException;
import io.github.flinkps.flink.training.rows.KeyGatherer;
import io.github.flinkps.flink.training.rows.MiniBatch;
import io.github.flinkps.flink.training.rows.PlannedBatch;
import io.github.flinkps.flink.training.rows.ValidationRows;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The work of a worker between two passes when some rows validate.
 *
 * <pre>
 * rest      it says that it is idle, so that nobody waits for the mini-batches it does not have
 * trained   it meets the others, who may have had more or fewer, and joins again at their highest clock
 * measure   it pulls for its validation rows and sums up their losses
 * validated it meets the others and the service: all know the loss of all rows, and what it means
 * kept      if the model is the best so far it waits until the service has written it
 * </pre>
 *
 * Under BSP nobody's push takes effect from the first to the last, so that all measure the same
 * parameters, bit for bit. Belongs to the task's thread.
 */
final class PassEnd {
    private static final int PULLED_AHEAD = 1;

    /** The worker. */
    interface Owner extends ExchangePipeline.Owner {
        /** Runs {@code step} once the future is there, unless the worker has ended. */
        <T> void whenAnswered(CompletableFuture<T> future, Step<T> step);

        /** Waits as {@link #whenAnswered} does, and arrives again while other workers have not. */
        <T> void whenMet(Supplier<CompletableFuture<T>> barrier, Step<T> step);

        /** Leaves a mail that calls {@link #step}. */
        void mailStep();

        /** Ends the pass with its verdict, and goes on with the next one, if any. */
        void passed(EarlyStopping.Verdict verdict) throws Exception;
    }

    /** The step that comes next, on the task's thread. */
    interface Step<T> {
        void run(T answer) throws Exception;
    }

    private final ModelSession session;
    private final TrainingModel model;
    private final KeyGatherer gatherer;
    private final ValidationRows rows;
    private final PassBarriers barriers;
    private final EarlyStopping stopping;
    private final ExchangePipeline pipeline;
    private final Owner owner;
    private int epoch;
    private int next;
    private boolean measuring;
    private double lossSum;
    private double weightSum;

    PassEnd(
            ServiceFinder.Connection connection,
            TrainingModel model,
            ValidationRows rows,
            PassBarriers barriers,
            EarlyStopping stopping,
            Owner owner,
            LongSupplier millis) {
        List<TableSpec> tables = connection.tables();
        this.session = connection.session();
        this.model = model;
        this.gatherer = new KeyGatherer(model, tables, session);
        this.rows = rows;
        this.barriers = barriers;
        this.stopping = stopping;
        this.owner = owner;
        this.pipeline =
                new ExchangePipeline(session, tables, PULLED_AHEAD, false, null, owner, millis);
    }

    /** Begins with a pass of the worker that has ended, all of whose operations are answered. */
    void begin(int endedEpoch) {
        epoch = endedEpoch;
        owner.whenAnswered(
                session.idle(),
                resting ->
                        owner.whenMet(
                                () -> barriers.trained(endedEpoch),
                                clock -> owner.whenAnswered(session.rejoin(clock), this::joined)));
    }

    private void joined(Void nothing) throws Exception {
        next = 0;
        lossSum = 0;
        weightSum = 0;
        measuring = true;
        step();
    }

    /** Goes on; computes at most one mini-batch. */
    void step() throws Exception {
        if (!measuring) {
            return;
        }
        PulledBatch oldest = pipeline.ready();
        if (oldest != null) {
            measure(oldest);
            pipeline.finish(oldest, take());
        }
        while (pipeline.hasRoom() && next < rows.batches()) {
            pipeline.pull(take());
        }
        if (pipeline.ready() != null) {
            owner.mailStep();
        } else if (pipeline.isEmpty()) {
            measuring = false;
            double loss = lossSum;
            double weight = weightSum;
            owner.whenMet(
                    () -> barriers.validated(epoch, loss, weight, rows.rows()), this::validated);
        }
    }

    private PlannedBatch take() throws TrainingException {
        if (next == rows.batches()) {
            return null;
        }
        int number = next++;
        MiniBatch batch = rows.batch(number);
        gatherer.prepare(batch, rows.drawSeed(number));
        return new PlannedBatch(batch, epoch, number);
    }

    private void measure(PulledBatch pulled) throws TrainingException {
        MiniBatch batch = pulled.planned().batch();
        pulled.clearGradients();
        double loss = model.gradients(batch.rows, batch.from, batch.to, pulled, pulled.gradients());
        if (!Double.isFinite(loss)) {
            throw new TrainingException(
                    "the loss of the validation rows is NaN or infinite after pass "
                            + (epoch + 1)
                            + ": lower the learning rate or the values of the input");
        }
        lossSum += loss;
        weightSum += batch.weight;
    }

    private void validated(PassBarriers.Measured measured) throws Exception {
        EarlyStopping.Verdict verdict = stopping.add(measured);
        if (verdict.best()) {
            owner.whenMet(() -> barriers.kept(epoch), kept -> owner.passed(verdict));
        } else {
            owner.passed(verdict);
        }
    }

    /** Returns whether exchanges stall; see {@link ExchangePipeline#stalled}. */
    boolean stalled(long forMillis) {
        return pipeline.stalled(forMillis);
    }
}
