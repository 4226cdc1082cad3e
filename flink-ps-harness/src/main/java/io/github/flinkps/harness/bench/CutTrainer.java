package io.github.flinkps.harness.bench;

import io.github.flinkps.client.KeyList;
import io.github.flinkps.client.ModelSession;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * A worker that pulls keys drawn at random, pushes to them, and sends a marker between two steps
 * when it is told to. Runs on a thread of its own; the rest may be called by any thread.
 */
final class CutTrainer implements Runnable {
    private final ModelSession session;
    private final SparseTable table;
    private final int stepKeys;
    private final SplittableRandom random;
    private final float[] pulled;
    private volatile Steps steps = new Steps(false);
    private volatile Marker wanted;
    private volatile CompletableFuture<Void> marked = CompletableFuture.completedFuture(null);
    private volatile boolean stopped;

    /** Steps that have been counted. */
    private volatile long done;

    private record Marker(long cut, long complete, CompletableFuture<Void> sent) {}

    /** Steps of a time. */
    static final class Steps {
        private final boolean ofCut;
        private final Latencies latencies = new Latencies();

        private Steps(boolean ofCut) {
            this.ofCut = ofCut;
        }

        private void add(long nanos) {
            latencies.record(nanos);
        }

        Latencies latencies() {
            return latencies;
        }
    }

    CutTrainer(ModelSession session, SparseTable table, int stepKeys, int seed) {
        this.session = session;
        this.table = table;
        this.stepKeys = stepKeys;
        this.random = new SplittableRandom(seed);
        this.pulled = new float[stepKeys * table.spec().width()];
    }

    /** Trains until it is told to stop, or fails. */
    @Override
    public void run() {
        float[] gradients = Values.gradients(stepKeys, table.spec().width());
        long[] keys = new long[stepKeys];
        for (long count = 0; !stopped; count++) {
            for (int i = 0; i < stepKeys; i++) {
                keys[i] = random.nextInt(table.size());
            }
            KeyList list = session.keys(table.spec().name(), keys, 0, stepKeys);
            Steps begun = steps;
            long start = System.nanoTime();
            Marker marker = wanted;
            if (marker != null) {
                wanted = null;
                session.marker(marker.cut(), marker.complete())
                        .whenComplete(
                                (sent, failure) -> {
                                    if (failure == null) {
                                        marker.sent().complete(null);
                                    } else {
                                        marker.sent().completeExceptionally(failure);
                                    }
                                });
            }
            LoadDriver.await(session.exchange().pull(list, pulled).send());
            LoadDriver.await(session.exchange().push(list, gradients, 1).clock().send());
            long nanos = System.nanoTime() - start;
            Steps ended = steps;
            begun.add(nanos);
            if (ended != begun && ended.ofCut) {
                ended.add(nanos);
            }
            done = count + 1;
        }
    }

    /** Returns how many steps have been counted. */
    long done() {
        return done;
    }

    /**
     * Begins to count anew.
     *
     * @param ofCut whether a step that is under way counts too
     */
    Steps next(boolean ofCut) {
        Steps begun = new Steps(ofCut);
        steps = begun;
        return begun;
    }

    /** Sends a marker before the next step. */
    void mark(long cut, long complete) {
        CompletableFuture<Void> sent = new CompletableFuture<>();
        marked = sent;
        wanted = new Marker(cut, complete, sent);
    }

    /** Completes when the latest marker is acknowledged. */
    CompletableFuture<Void> marked() {
        return marked;
    }

    void stop() {
        stopped = true;
    }
}
