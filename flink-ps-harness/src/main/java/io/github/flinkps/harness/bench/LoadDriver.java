package io.github.flinkps.harness.bench;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** Keeps a fixed number of operations of each client under way for a time. */
final class LoadDriver implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 120;

    private final int clients;
    private final ExecutorService threads;

    LoadDriver(int clients) {
        this.clients = clients;
        this.threads =
                Executors.newFixedThreadPool(
                        clients,
                        task -> {
                            Thread thread = new Thread(task, "flink-ps-bench");
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    /** The ways in which the next operation is begun. */
    enum Pace {
        /** A thread begins an operation after it has waited for an earlier one. */
        WAITING,
        /** The callback of an operation begins the next one, as in the bare transfer. */
        CHAINED
    }

    /** Drives a load for a time, or until it must be refilled. */
    Slice run(Load load, Pace pace, int inFlight, long nanos) {
        List<Client> all = new ArrayList<>();
        List<Future<?>> running = new ArrayList<>();
        long end = System.nanoTime() + nanos;
        for (int i = 0; i < clients; i++) {
            Client client = new Client(load, i, end);
            all.add(client);
            running.add(
                    threads.submit(
                            () -> {
                                if (pace == Pace.CHAINED) {
                                    client.chain(inFlight);
                                } else {
                                    client.keep(inFlight);
                                }
                                return null;
                            }));
        }
        running.forEach(LoadDriver::await);
        Latencies latencies = new Latencies();
        long operations = 0;
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (Client client : all) {
            latencies.add(client.latencies);
            operations += client.started;
            first = Math.min(first, client.first - end);
            last = Math.max(last, client.last - end);
        }
        return new Slice(operations, last - first, latencies);
    }

    /** Waits for a future, with a bound. */
    static <T> T await(Future<T> future) {
        return await(future, PATIENCE_SECONDS);
    }

    /** Waits for a future as long. */
    static <T> T await(Future<T> future, long seconds) {
        try {
            return future.get(seconds, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw PsException.of(e.getCause());
        } catch (TimeoutException e) {
            throw new PsException(ErrorCode.TIMEOUT, "no answer within " + seconds + " seconds", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PsException(ErrorCode.CLOSED, "interrupted", e);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    /** One client's operations. */
    private static final class Client {
        private final Load load;
        private final int index;
        private final long end;
        private final long most;
        private final Latencies latencies = new Latencies();
        private volatile long first;
        private volatile long last;
        private volatile long started;

        Client(Load load, int index, long end) {
            this.load = load;
            this.index = index;
            this.end = end;
            this.most = load.startable();
            this.first = System.nanoTime();
            this.last = first;
        }

        /**
         * Keeps several under way, at least one; each slot is used again when its operation has
         * completed.
         */
        void keep(int inFlight) {
            List<CompletableFuture<Void>> slots = new ArrayList<>();
            first = System.nanoTime();
            long count = 0;
            for (; count == 0 || (count < most && System.nanoTime() < end); count++) {
                int slot = (int) (count % inFlight);
                if (count < inFlight) {
                    slots.add(begin(slot));
                } else {
                    await(slots.get(slot));
                    slots.set(slot, begin(slot));
                }
            }
            slots.forEach(LoadDriver::await);
            started = count;
        }

        private CompletableFuture<Void> begin(int slot) {
            long start = System.nanoTime();
            return load.start(index, slot)
                    .thenRun(
                            () -> {
                                long now = System.nanoTime();
                                latencies.record(now - start);
                                last = now;
                            });
        }

        /**
         * Keeps several under way, at least one; the callback of each begins the next one of its
         * slot, without a thread between them.
         */
        void chain(int inFlight) {
            List<CompletableFuture<Void>> chains = new ArrayList<>();
            AtomicLong left = new AtomicLong(most);
            first = System.nanoTime();
            for (int slot = 0; slot < inFlight; slot++) {
                CompletableFuture<Void> done = new CompletableFuture<>();
                chains.add(done);
                next(slot, slot == 0, left, done);
            }
            chains.forEach(LoadDriver::await);
            started = most - left.get();
        }

        private void next(int slot, boolean always, AtomicLong left, CompletableFuture<Void> done) {
            if (!always && System.nanoTime() >= end) {
                done.complete(null);
                return;
            }
            if (left.getAndUpdate(count -> Math.max(0, count - 1)) == 0) {
                done.complete(null);
                return;
            }
            begin(slot)
                    .whenComplete(
                            (completed, error) -> {
                                if (error != null) {
                                    done.completeExceptionally(error.getCause());
                                } else {
                                    next(slot, false, left, done);
                                }
                            });
        }
    }
}
