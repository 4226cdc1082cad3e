package io.github.flinkps.flink.training.cut;

import io.github.flinkps.model.cut.CutId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the cuts of checkpoints that are no longer to be kept, and what attempts before have left
 * unfinished; one worker does. Only cuts that were reported complete or aborted go, in this attempt
 * or an earlier one. Cuts of which an attempt shows that they were given up go too: at a failure
 * Flink does not always report them, and goes back to a checkpoint before. Those of savepoints
 * stay, and what a savepoint of an earlier attempt may have instead of a cut of its own. At least
 * one more is kept than Flink retains, and what cuts that are not complete yet may add to. Has what
 * other runs have left removed too, see {@link EndedRuns}.
 *
 * <p>Belongs to the task's thread; files are removed by a thread of its own, and what cannot be
 * removed is left.
 */
final class CutKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CutKeeper.class);

    private static final long END_SECONDS = 20;
    private static final long OTHERS_SECONDS = 2;

    private final CutPublisher publisher;
    private final String run;
    private final int retained;
    private final ManifestCache manifests;
    private final ConcurrentSkipListSet<CutId> complete = new ConcurrentSkipListSet<>();

    private final ConcurrentSkipListSet<CutId> aborted = new ConcurrentSkipListSet<>();

    /**
     * Cuts of earlier attempts that may be complete. They go when enough later ones are complete.
     */
    private final ConcurrentSkipListSet<CutId> unnoted = new ConcurrentSkipListSet<>();

    /** Cuts of earlier attempts, taken after the end of their training. */
    private final ConcurrentSkipListSet<CutId> copiesBefore = new ConcurrentSkipListSet<>();

    private boolean over;
    private final ExecutorService thread = thread("flink-ps-remove-cuts");

    /**
     * Removes cuts of other runs, of which there may be many, so that those of this run do not
     * wait.
     */
    private final ExecutorService others = thread("flink-ps-remove-left");

    /**
     * @param manifests of cuts of this attempt that may be the base of another
     */
    CutKeeper(CutSettings settings, String run, ManifestCache manifests) {
        this.manifests = manifests;
        this.publisher = settings.publisher();
        this.run = run;
        this.retained = settings.retained();
    }

    private static ExecutorService thread(String name) {
        return Executors.newSingleThreadExecutor(
                work -> {
                    Thread made = new Thread(work, name);
                    made.setDaemon(true);
                    return made;
                });
    }

    /**
     * Begins an attempt: looks for the cuts of earlier ones, and removes what they left unfinished.
     *
     * @param restored the cut it goes on from, or null
     */
    void begin(long fence, CutId restored) {
        boolean own = restored != null && restored.run().equals(run);
        if (own) {
            execute(() -> publisher.complete(restored)); // maybe nobody has noted it
        }
        execute(() -> publisher.abandon(run, fence, own ? restored : null));
        execute(
                () -> {
                    Set<CutId> standIns = publisher.standIns(run); // savepoints may refer to them
                    Set<CutId> before = new TreeSet<>(publisher.completed(run));
                    before.removeAll(standIns);
                    Set<CutId> untold = new TreeSet<>(publisher.unnoted(run, fence));
                    untold.removeAll(standIns);
                    copiesBefore.addAll(publisher.copies(run));
                    complete.addAll(before); // none if it cannot be told which are to stay
                    unnoted.addAll(untold);
                });
        execute(
                () -> {
                    Set<CutId> before = new TreeSet<>(publisher.aborted(run));
                    if (own) {
                        before.remove(restored);
                    }
                    aborted.addAll(before);
                });
        execute(() -> publisher.sweep(run, fence));
    }

    /**
     * Takes note that the checkpoint of a cut is complete, and removes cuts that are no longer to
     * be kept.
     *
     * @param needed the oldest cut that one which is not complete adds to, as far as this worker
     *     knows
     * @param atATime most cuts that were under way together; a worker to which fewer were known to
     *     be complete may have named a cut that is as many before
     * @param copies how many of the complete ones of this attempt are the same model as another
     *     one: as those of attempts before they do not take the place of one that is to be kept
     */
    void completed(CutId cut, CutId needed, int atATime, int copies) {
        complete.add(cut);
        List<CutId> known = List.copyOf(complete); // with what the numbers say of these
        execute(
                () -> {
                    publisher.complete(cut);
                    long alike = copies + known.stream().filter(copiesBefore::contains).count();
                    List<CutId> removable =
                            new ArrayList<>(superseded(known, needed, atATime, alike));
                    removable.addAll(aborted.headSet(cut));
                    long least = retained + alike + Math.max(1, atATime);
                    unnoted.stream()
                            .filter(each -> later(known, each) >= least)
                            .forEach(removable::add);
                    remove(removable);
                });
        // The job does not go back to a cut of another run any more. Of two jobs that come here
        // together one sees what the other has noted.
        execute(() -> execute(others, () -> publisher.removeLeft(run)));
    }

    /**
     * Takes note that the checkpoint of a cut was given up; the cut gets no manifest any more. It
     * is removed when a later one is complete. Flink says aborted too where it cannot tell whether
     * it has noted the checkpoint, and would then go back to it.
     */
    void aborted(CutId cut) {
        aborted.add(cut);
        CutId later = complete.higher(cut);
        if (later != null) {
            execute(() -> remove(List.copyOf(aborted.headSet(later))));
        }
    }

    /**
     * Removes the files of cached rows, unless a savepoint may refer to them: the job needs them no
     * more. A checkpoint without them is complete, and every cut before has its manifest or gets
     * none. Only the first call counts.
     *
     * @param from the first checkpoint without them
     */
    void over(long from) {
        if (!over) {
            over = true;
            execute(() -> removeRows(from));
        }
    }

    private void removeRows(long from) throws IOException {
        manifests.guard().lock();
        try {
            publisher.removeRows(run, from);
        } finally {
            manifests.guard().unlock();
        }
    }

    private static long later(List<CutId> known, CutId cut) {
        return known.stream().filter(each -> each.compareTo(cut) > 0).count();
    }

    private List<CutId> superseded(List<CutId> known, CutId needed, int atATime, long alike) {
        long before = known.stream().filter(cut -> cut.compareTo(needed) < 0).count();
        long removable = Math.min(known.size() - alike - retained, before) - Math.max(1, atATime);
        return known.stream().limit(Math.max(0, removable)).filter(complete::contains).toList();
    }

    private void remove(List<CutId> removable) throws IOException {
        if (removable.isEmpty()) {
            return;
        }
        manifests.guard().lock();
        List<CutId> gone = removable; // as far as is known, if it fails
        try {
            gone = publisher.remove(run, removable);
            complete.removeAll(gone);
            aborted.removeAll(gone);
            unnoted.removeAll(gone);
        } finally {
            gone.forEach(cut -> manifests.forget(cut.number()));
            manifests.guard().unlock();
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    private void execute(Work work) {
        execute(thread, work);
    }

    private void execute(ExecutorService executor, Work work) {
        executor.execute(
                () -> {
                    try {
                        work.run();
                    } catch (Exception e) {
                        if (executor.isShutdown()) {
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
        others.shutdown();
        try {
            if (over && !thread.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("Rows of run {} are left", run);
            }
            if (!others.awaitTermination(OTHERS_SECONDS, TimeUnit.SECONDS)) {
                LOG.info("What other runs than {} have left is looked for no further", run);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.shutdownNow();
        others.shutdownNow();
    }
}
