package io.github.flinkps.flink.training;

import io.github.flinkps.model.CutId;
import io.github.flinkps.model.ManifestRef;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the cuts of checkpoints that are no longer to be kept, and what attempts before have left
 * unfinished; one worker does. Only cuts that were reported complete go, in this attempt or an
 * earlier one: those of savepoints stay. At least one more is kept than Flink retains, as a stop
 * with a savepoint is reported as a checkpoint is but takes the place of none.
 *
 * <p>Belongs to the task's thread; files are removed by a thread of its own, and what cannot be
 * removed is left.
 */
final class CutKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CutKeeper.class);

    private static final long END_SECONDS = 20;

    private final CutPublisher publisher;
    private final String run;
    private final int kept;
    private final Map<Long, ManifestRef> manifests;
    private final ConcurrentSkipListSet<CutId> complete = new ConcurrentSkipListSet<>();
    private boolean over;
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    work -> {
                        Thread made = new Thread(work, "flink-ps-remove-cuts");
                        made.setDaemon(true);
                        return made;
                    });

    /**
     * @param manifests of cuts of this attempt that may be the base of another; its monitor is held
     *     while one is looked up and the other written, and while cuts are removed
     */
    CutKeeper(CutSettings settings, String run, Map<Long, ManifestRef> manifests) {
        this.manifests = manifests;
        this.publisher = settings.publisher();
        this.run = run;
        this.kept = settings.retained() + 1;
    }

    /**
     * An attempt begins.
     *
     * @param restored the cut it goes on from, or null
     */
    void begin(long fence, CutId restored) {
        if (restored != null && restored.run().equals(run)) {
            complete.add(restored);
        }
        execute(
                () -> {
                    complete.addAll(publisher.completed(run));
                    publisher.sweep(run, fence);
                });
    }

    /** The checkpoint of a cut is complete. */
    void completed(CutId cut) {
        complete.add(cut);
        execute(
                () -> {
                    publisher.complete(cut);
                    if (complete.size() > kept) {
                        remove(List.copyOf(complete).subList(0, complete.size() - kept));
                    }
                });
    }

    /** The job needs its cached rows no more: a checkpoint without them is complete. */
    void over() {
        if (!over) {
            over = true;
            execute(() -> publisher.removeRows(run));
        }
    }

    private void remove(List<CutId> removable) throws IOException {
        synchronized (manifests) {
            removable.forEach(cut -> manifests.remove(cut.number()));
            complete.removeAll(publisher.remove(run, removable));
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    private void execute(Work work) {
        thread.execute(
                () -> {
                    try {
                        work.run();
                    } catch (Exception e) {
                        if (thread.isShutdown()) {
                            LOG.debug("Interrupted by the end of the task", e);
                            return;
                        }
                        LOG.warn("Cuts of run {} that are not needed any more are left", run, e);
                    }
                });
    }

    /** Ends what is under way, but gives what is left to do at the end a while; idempotent. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (over && !thread.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("Rows of run {} are left", run);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.shutdownNow();
    }
}
