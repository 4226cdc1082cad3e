package io.github.flinkps.flink.training.worker;

import io.github.flinkps.client.Exchange;
import io.github.flinkps.client.FilteredPushes;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.training.rows.MiniBatch;
import io.github.flinkps.flink.training.rows.PlannedBatch;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Mini-batches between their pull and their push, in order. There are up to {@code depth + 1}: the
 * one computed and those pulled ahead of it. In the steady state one operation serves one
 * mini-batch: it pushes the gradients of the oldest, counts the clock and pulls for the newest. An
 * operation's pull is for the mini-batch as many after the worker's clock as there are places
 * before it.
 *
 * <p>Belongs to the task's thread; the client's callbacks only leave a mail.
 */
final class ExchangePipeline {
    /** The owner of a pipeline, with whom completions of operations are handled. */
    interface Owner {
        /** Runs {@code mail} on the task's thread; from any thread. */
        void execute(Mail mail);

        /**
         * Handles the completion of an operation; on the task's thread.
         *
         * @param pulled whether it has pulled
         * @param failure what it failed with, or null
         */
        void completed(boolean pulled, Throwable failure) throws Exception;
    }

    /** Something to run on the task's thread. */
    interface Mail {
        void run() throws Exception;
    }

    private final ModelSession session;
    private final List<TableSpec> tables;
    private final int places;
    private final boolean train;
    private final FilteredPushes filtered;
    private final Owner owner;
    private final LongSupplier millis;
    private final ArrayDeque<PulledBatch> order = new ArrayDeque<>();
    private final ArrayDeque<PulledBatch> free = new ArrayDeque<>();
    private int inFlight;
    private long quietSince;
    private long acknowledgedMillis;

    /**
     * @param filtered what stands before pushes, or null
     * @param millis a clock, for {@link #stalled}
     */
    ExchangePipeline(
            ModelSession session,
            List<TableSpec> tables,
            int depth,
            boolean train,
            FilteredPushes filtered,
            Owner owner,
            LongSupplier millis) {
        this.session = session;
        this.tables = tables;
        this.places = Math.addExact(depth, 1);
        this.train = train;
        this.filtered = filtered;
        this.owner = owner;
        this.millis = millis;
    }

    /** Returns whether another mini-batch may be pulled before the oldest is finished. */
    boolean hasRoom() {
        return order.size() < places;
    }

    /** Returns whether no mini-batch is between its pull and its push. */
    boolean isEmpty() {
        return order.isEmpty();
    }

    /** Returns the mini-batches between their pull and their push, in order. */
    List<PlannedBatch> planned() {
        return order.stream().map(PulledBatch::planned).toList();
    }

    /** Returns the number of operations not yet answered. */
    int inFlight() {
        return inFlight;
    }

    /** Returns the oldest mini-batch, once its rows are there; else null. */
    PulledBatch ready() {
        PulledBatch oldest = order.peek();
        return oldest != null && oldest.pulled() ? oldest : null;
    }

    /** Pulls for a prepared mini-batch. */
    void pull(PlannedBatch next) {
        Exchange exchange = session.exchange();
        PulledBatch place = addPull(exchange, next);
        send(exchange, place, null);
    }

    /**
     * Finishes the oldest: pushes its gradients and counts the clock, unless rows are only scored,
     * and pulls for {@code next} in the same operation.
     *
     * @param next a prepared mini-batch, or null
     */
    void finish(PulledBatch oldest, PlannedBatch next) {
        Exchange exchange = session.exchange();
        if (train) {
            addPush(exchange, oldest);
            exchange.clock(oldest.planned().batch().weight);
        }
        order.remove();
        PulledBatch place = next == null ? null : addPull(exchange, next);
        if (!train) {
            free.push(oldest);
        }
        if (train || place != null) {
            send(exchange, place, train ? oldest : null);
        }
    }

    /**
     * Pushes what is retained, as a mini-batch of its own.
     *
     * @param weight of one
     */
    void pushRest(double weight) {
        Exchange exchange = session.exchange();
        if (filtered != null && filtered.pushRest(exchange, weight)) {
            send(exchange, null, null);
        }
    }

    private void addPush(Exchange exchange, PulledBatch oldest) {
        if (filtered != null) {
            addFiltered(exchange, oldest, oldest.planned().batch());
        } else {
            oldest.push(exchange);
        }
    }

    private void addFiltered(Exchange exchange, PulledBatch oldest, MiniBatch batch) {
        for (int table = 0; table < tables.size(); table++) {
            float[] values = oldest.values(table);
            float[] gradients = oldest.gradientsOf(table);
            if (batch.keys[table] == null) {
                filtered.pushRange(
                        exchange,
                        tables.get(table).name(),
                        batch.rangeFrom[table],
                        batch.rowsOf(table),
                        values,
                        gradients,
                        batch.weight);
            } else if (batch.keys[table].size() > 0) {
                filtered.push(exchange, batch.keys[table], values, gradients, batch.weight);
            }
        }
    }

    private PulledBatch addPull(Exchange exchange, PlannedBatch next) {
        if (train) {
            exchange.ahead(order.size());
        }
        PulledBatch place = free.isEmpty() ? new PulledBatch(tables) : free.pop();
        place.assign(next);
        order.add(place);
        place.pull(exchange);
        return place;
    }

    /** Sends an operation, to which the gradients of {@code pushed} belong until it is answered. */
    private void send(Exchange exchange, PulledBatch place, PulledBatch pushed) {
        if (inFlight++ == 0) {
            quietSince = millis.getAsLong();
        }
        exchange.send()
                .whenComplete(
                        (nothing, failure) ->
                                owner.execute(() -> completed(place, pushed, failure)));
    }

    private void completed(PulledBatch place, PulledBatch pushed, Throwable failure)
            throws Exception {
        inFlight--;
        quietSince = millis.getAsLong();
        if (failure == null && pushed != null) {
            free.push(pushed);
            acknowledgedMillis = System.currentTimeMillis();
        }
        if (failure == null && place != null) {
            place.markPulled();
        }
        owner.completed(place != null, failure);
    }

    /** Returns the number of rows that passed the filter; 0 without one. */
    long pushedRows() {
        return filtered == null ? 0 : filtered.pushedRows();
    }

    /**
     * Returns the number of rows that the filter retained, each as often as it was; 0 without one.
     */
    long retainedRows() {
        return filtered == null ? 0 : filtered.retainedRows();
    }

    /** Returns the wall clock, in ms, when a push was last acknowledged; 0 before. */
    long acknowledgedMillis() {
        return acknowledgedMillis;
    }

    /** Returns whether operations are under way of which none has been answered for so long. */
    boolean stalled(long forMillis) {
        return inFlight > 0 && millis.getAsLong() - quietSince > forMillis;
    }
}
