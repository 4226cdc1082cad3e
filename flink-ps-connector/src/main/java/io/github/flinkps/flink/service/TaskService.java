package io.github.flinkps.flink.service;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The service of a job whose servers, or session with remote ones, live in the one task that
 * trains. In BATCH runtime mode a source beside the input could not run at the same time. It works
 * on a thread of its own from {@link #start} on; all else is called by the task's.
 */
public final class TaskService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TaskService.class);
    private static final long CLOSE_MILLIS = 10_000;

    /** Receives the outcome of the service; called on the service's thread. */
    public interface Listener {
        /** Tells that the worker is done, and the model can be published. */
        void written();

        void failed(Exception failure);
    }

    private final ServiceSpec spec;
    private final RenewedEntry entry;
    private final List<ServiceHost> hosts = new ArrayList<>();
    private final Listener listener;
    private final Thread thread;
    private volatile boolean closed;
    private volatile boolean published;

    /**
     * @param run of this attempt alone: it finds no servers that another has left behind
     * @param heap bytes of the JVM's heap that the embedded servers may count on together
     */
    public TaskService(
            ServiceSpec spec,
            String run,
            ServiceBackend backend,
            ModelArchive archive,
            long heap,
            Listener listener) {
        this.spec = spec;
        this.entry =
                new RenewedEntry(
                        spec.servers().directory(), run, ServiceEnumerator.EXPIRY.dividedBy(3));
        this.listener = listener;
        for (int i = 0; i < spec.readers(); i++) {
            hosts.add(
                    new ServiceHost(
                            spec,
                            run,
                            backend,
                            archive,
                            TaskHost.ofMachine(heap / spec.readers())));
        }
        this.thread = new Thread(this::serve, "flink-ps-service");
        this.thread.setDaemon(true);
        this.thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
    }

    /** Starts the thread; the worker finds the servers in the registry. */
    public void start() {
        thread.start();
    }

    private void serve() {
        try {
            long fence = System.currentTimeMillis();
            entry.publish(fence, List.of());
            List<String> addresses = new ArrayList<>();
            for (int i = 0; i < hosts.size(); i++) {
                addresses.add(hosts.get(i).start(i, fence));
                hosts.get(i).serverFailure().thenAccept(listener::failed);
            }
            if (!spec.embedded()) {
                addresses = spec.servers().remote();
            }
            ServiceHost first = hosts.get(0);
            long granted = first.prepare(fence, addresses, false);
            entry.publish(granted, addresses);
            first.followPasses();
            first.awaitWorkers();
            first.write();
            first.tellSaved();
            listener.written();
        } catch (Exception e) {
            if (closed) {
                LOG.debug("Interrupted by the end of the task", e);
            } else {
                listener.failed(new ServiceException(e));
            }
        }
    }

    /** Puts the model in its place, once it is written. */
    public void publish() throws Exception {
        hosts.get(0).publish();
        published = true;
    }

    /** Ends the thread and the servers; what was written and not published is removed. */
    @Override
    public void close() throws InterruptedException {
        closed = true;
        thread.interrupt();
        try {
            thread.join(CLOSE_MILLIS);
            if (thread.isAlive()) {
                LOG.warn("The service's thread did not end in {} ms", CLOSE_MILLIS);
            }
        } finally {
            try {
                closeHosts();
            } finally {
                boolean goesOn = !published && spec.start().cut() != null;
                entry.close(goesOn, RenewedEntry.HUNG);
            }
        }
    }

    private void closeHosts() {
        RuntimeException failure = null;
        for (ServiceHost host : hosts) {
            try {
                host.close();
            } catch (RuntimeException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
