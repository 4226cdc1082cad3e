package io.github.flinkps.flink.service;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.core.io.InputStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reader of the service source: takes the enumerator's orders on the task's thread, lets the
 * {@link ServiceHost} follow them on a thread of its own, which passes the results back. (Not
 * {@link #pollNext}: once a job is to stop with a savepoint Flink polls no more, while workers
 * still wait for the servers. Events to coordinators are calls of the JobManager, which any thread
 * may make.) A failure there is told the enumerator, which fails the job; should that have no
 * effect, {@code pollNext} throws it. The server lives until {@link #close}.
 */
final class ServiceReader implements SourceReader<Void, ServiceSplit> {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceReader.class);
    private static final long CLOSE_SECONDS = 10;
    private static final long GRACE_SECONDS = 5;

    private final SourceReaderContext context;
    private final ServiceHost host;
    private final ExecutorService thread;
    private final Object lock = new Object();
    private CompletableFuture<Void> available = new CompletableFuture<>();
    private volatile Throwable failure;
    private volatile boolean ended;
    private volatile boolean closed;

    ServiceReader(SourceReaderContext context, ServiceHost host) {
        this.context = context;
        this.host = host;
        int index = context.getIndexOfSubtask();
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        this.thread =
                new ThreadPoolExecutor(
                        1,
                        1,
                        0,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        work -> {
                            Thread made = new Thread(work, "flink-ps-service-" + index);
                            made.setDaemon(true);
                            made.setContextClassLoader(loader);
                            return made;
                        });
    }

    @Override
    public void start() {}

    @Override
    public void handleSourceEvents(SourceEvent event) {
        if (event instanceof ServiceEvent.Start order) {
            work(
                    order.fence(),
                    () -> {
                        String address = host.start(context.getIndexOfSubtask(), order.fence());
                        host.serverFailure().thenAccept(cause -> failed(order.fence(), cause));
                        reply(new ServiceEvent.Started(order.fence(), address));
                    });
        } else if (event instanceof ServiceEvent.Prepare order) {
            work(
                    order.fence(),
                    () -> {
                        long granted =
                                host.prepare(order.fence(), order.addresses(), order.restored());
                        reply(new ServiceEvent.Prepared(order.fence(), granted));
                        host.followPasses();
                        host.awaitWorkers();
                        host.save();
                        reply(new ServiceEvent.Saved(order.fence()));
                    });
        } else if (event instanceof ServiceEvent.End) {
            ended = true;
            wake();
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    private void work(long fence, Work work) {
        thread.execute(
                () -> {
                    try {
                        work.run();
                    } catch (Throwable e) {
                        if (closed) {
                            LOG.debug("Interrupted by the end of the task", e);
                        } else {
                            failed(fence, e);
                        }
                    }
                });
    }

    /**
     * Tells the enumerator of a failure, which fails the job. The task itself fails {@link
     * #GRACE_SECONDS} later: if it did so at once, its server would go with it, and what workers
     * say of that might come first.
     */
    private void failed(long fence, Throwable cause) {
        LOG.info("The parameter service failed", cause);
        ServiceException reason = new ServiceException(cause);
        CompletableFuture.delayedExecutor(GRACE_SECONDS, TimeUnit.SECONDS)
                .execute(
                        () -> {
                            failure = cause;
                            wake();
                        });
        reply(new ServiceEvent.Failed(fence, ServiceException.code(cause), reason.getMessage()));
    }

    private void reply(ServiceEvent event) {
        context.sendSourceEventToCoordinator(event);
    }

    private void wake() {
        CompletableFuture<Void> waiting;
        synchronized (lock) {
            waiting = available;
        }
        waiting.complete(null);
    }

    @Override
    public InputStatus pollNext(ReaderOutput<Void> output) throws Exception {
        synchronized (lock) {
            if (available.isDone()) {
                available = new CompletableFuture<>();
            }
        }
        Throwable failed = failure;
        if (failed != null) {
            throw new ServiceException(failed);
        }
        return ended ? InputStatus.END_OF_INPUT : InputStatus.NOTHING_AVAILABLE;
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
        synchronized (lock) {
            return available;
        }
    }

    @Override
    public List<ServiceSplit> snapshotState(long checkpointId) {
        return List.of();
    }

    @Override
    public void addSplits(List<ServiceSplit> splits) {}

    @Override
    public void notifyNoMoreSplits() {}

    @Override
    public void close() throws Exception {
        if (closed) {
            return;
        }
        closed = true;
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("The service's thread did not end in {} s", CLOSE_SECONDS);
            }
        } finally {
            host.close();
        }
    }
}
