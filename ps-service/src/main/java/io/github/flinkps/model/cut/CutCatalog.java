package io.github.flinkps.model.cut;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.model.ModelFailures;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.StorageFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The cuts of a model on storage. What others remove meanwhile is simply no longer there. Keeps no
 * state; thread-safe; blocks its caller with input and output.
 */
public final class CutCatalog {
    private final ModelStorage storage;
    private final String model;

    /**
     * @param modelDirectory above all runs
     */
    public CutCatalog(ModelStorage storage, String modelDirectory) {
        this.storage = storage;
        this.model = StorageFiles.withoutEndSlash(modelDirectory);
    }

    /**
     * The cuts that there are of a run.
     *
     * @param cuts with a readable manifest, oldest first
     * @param damaged why the other manifests cannot be read, by cut
     */
    public record Listing(List<CutSummary> cuts, Map<CutId, String> damaged) {
        /**
         * Returns the first of the cuts that one adds to, directly or not, which is not there as it
         * was.
         */
        public Optional<CutId> missing(CutSummary cut) {
            Map<CutId, CutSummary> readable = new TreeMap<>();
            cuts.forEach(found -> readable.put(found.id(), found));
            return CutCatalog.missing(cut, readable);
        }

        private Map<CutId, CutId> baseOf() {
            Map<CutId, CutId> baseOf = new TreeMap<>();
            for (CutSummary cut : cuts) {
                cut.base().ifPresent(base -> baseOf.put(cut.id(), base.cut()));
            }
            return baseOf;
        }

        /** Returns the cuts that say they add to one, directly or not. */
        List<CutSummary> dependents(CutId base) {
            Map<CutId, CutId> baseOf = baseOf();
            List<CutSummary> found = new ArrayList<>();
            for (CutSummary cut : cuts) {
                CutId below = baseOf.get(cut.id());
                while (below != null && !below.equals(base)) {
                    below = baseOf.get(below);
                }
                if (below != null) {
                    found.add(cut);
                }
            }
            return found;
        }

        /** Returns the cuts that increments say they add to, directly or not. */
        Set<CutId> bases(Collection<CutId> leftOut) {
            Map<CutId, CutId> baseOf = baseOf();
            Set<CutId> bases = new HashSet<>();
            for (CutSummary cut : cuts) {
                CutId base = leftOut.contains(cut.id()) ? null : baseOf.get(cut.id());
                while (base != null && bases.add(base)) {
                    base = baseOf.get(base);
                }
            }
            return bases;
        }
    }

    /** Runs of which something is kept, sorted. */
    public List<String> runs() {
        return names(CutPaths.runs(model)).stream().filter(CutId::isRun).toList();
    }

    /**
     * The remains of a run beside its cuts: what a job that was killed has left, or one that trains
     * is writing.
     *
     * @param unfinished cuts without a manifest, oldest first
     * @param unfinishedBytes of their files
     * @param rowBytes of the files of rows of several passes
     */
    public record Remains(List<CutId> unfinished, long unfinishedBytes, long rowBytes) {
        /** Returns whether there is nothing of that kind. */
        public boolean isEmpty() {
            return unfinished.isEmpty() && rowBytes == 0;
        }
    }

    /**
     * Returns what there is of a run beside its cuts.
     *
     * @throws PsException IO
     */
    public Remains remains(String run) {
        List<CutId> unfinished =
                directories(run).stream()
                        .filter(cut -> !exists(CutPaths.manifest(model, cut)))
                        .toList();
        long unfinishedBytes =
                unfinished.stream().mapToLong(cut -> bytes(CutPaths.directory(model, cut))).sum();
        return new Remains(unfinished, unfinishedBytes, bytes(CutPaths.rows(model, run)));
    }

    private List<String> names(String directory) {
        try {
            return storage.list(directory);
        } catch (IOException e) {
            throw ModelFailures.io("list", directory, e);
        }
    }

    /**
     * Returns the cuts of a run.
     *
     * @throws PsException IO
     */
    public Listing list(String run) {
        return list(run, failure -> failure.code() == ErrorCode.CORRUPT);
    }

    /** Lists cuts as {@link #list} does, and fails if the needs of a usable cut cannot be read. */
    private Listing listNeeds(String run) {
        return list(
                run,
                failure -> failure.code() == ErrorCode.CORRUPT && !ModelFailures.isNewer(failure));
    }

    /**
     * @param passedOver which of the manifests that cannot be read are no failure
     */
    private Listing list(String run, Predicate<PsException> passedOver) {
        List<CutSummary> cuts = new ArrayList<>();
        Map<CutId, String> damaged = new TreeMap<>();
        for (CutId id : directories(run)) {
            String path = CutPaths.manifest(model, id);
            if (!exists(path)) {
                continue;
            }
            try {
                CutManifests.Found found = CutManifests.find(storage, path);
                if (found.manifest().header().id().equals(id)) {
                    cuts.add(CutSummary.of(found, status(id)));
                } else {
                    damaged.put(id, path + " is that of " + found.manifest().header().id());
                }
            } catch (PsException e) {
                if (!passedOver.test(e)) {
                    throw e;
                }
                if (exists(path)) {
                    damaged.put(id, e.getMessage());
                }
            }
        }
        return new Listing(cuts, damaged);
    }

    /** Returns all cuts of a run that have a directory, oldest first. */
    private Set<CutId> directories(String run) {
        Set<CutId> ids = new TreeSet<>();
        for (String name : names(CutPaths.cuts(model, run))) {
            CutId.ofDirectory(run, name).ifPresent(ids::add);
        }
        return ids;
    }

    /**
     * Notes how far a worker had trained at a cut that is durable.
     *
     * @throws PsException IO; the cut is as good without
     */
    public void noteProgress(CutId cut, CutProgress progress) {
        String directory = CutPaths.directory(model, cut);
        try {
            CutProgressFiles.write(storage, directory, progress);
        } catch (IOException e) {
            throw ModelFailures.io("write to", directory, e);
        }
    }

    /**
     * Returns what is known of the training at the time of a cut, by name: rows trained since the
     * job began and the mean loss of those since the cut before. Nothing unless all its workers
     * have noted it.
     */
    public Map<String, String> facts(CutId cut) {
        return CutProgressFiles.facts(storage, CutPaths.directory(model, cut));
    }

    private String mark(CutId cut, String name) {
        return CutPaths.directory(model, cut) + "/" + name;
    }

    /**
     * Returns what is noted of a cut. A complete one may have been given up too, by a process that
     * could not tell; it counts as complete.
     */
    private CutSummary.Status status(CutId cut) {
        if (exists(mark(cut, CutPaths.COMPLETE))) {
            return CutSummary.Status.COMPLETE;
        }
        return exists(mark(cut, CutPaths.ABORTED))
                ? CutSummary.Status.ABORTED
                : CutSummary.Status.UNKNOWN;
    }

    /**
     * Notes that the checkpoint of a cut is complete: one of which nothing is noted may be that of
     * a savepoint. Nothing happens if the cut is no longer there.
     */
    public void markComplete(CutId cut) {
        note(cut, CutPaths.COMPLETE);
    }

    /**
     * Notes that checkpoints of a run were given up, on what there is of their cuts.
     *
     * @param numbers of the checkpoints
     */
    public void markAborted(String run, Set<Long> numbers) {
        for (CutId cut : directories(run)) {
            if (numbers.contains(cut.number())) {
                note(cut, CutPaths.ABORTED);
            }
        }
    }

    /**
     * Marks the existing cuts of these checkpoints of a run as complete. Savepoints among them stay
     * as they are, as a job is also told of the savepoint that stops it.
     *
     * @param numbers of the checkpoints
     * @throws PsException IO
     */
    public void markComplete(String run, Set<Long> numbers) {
        for (CutId cut : directories(run)) {
            if (numbers.contains(cut.number())
                    && readable(cut).filter(CutCatalog::isOfSavepoint).isEmpty()) {
                note(cut, CutPaths.COMPLETE);
            }
        }
    }

    private void note(CutId cut, String name) {
        String mark = mark(cut, name);
        try {
            if (storage.exists(CutPaths.manifest(model, cut))) {
                storage.create(mark).close();
            }
        } catch (IOException e) {
            throw ModelFailures.io("write", mark, e);
        }
    }

    /**
     * Notes that checkpoints of a run were given up: those of attempts before that come after the
     * cut an attempt goes on from, and of which nothing is noted. Had one of them been complete,
     * the attempt would go on from it. Those of savepoints stay as they are.
     *
     * @param fence of the attempt
     * @param restored the cut of the run that it goes on from; empty if it goes on from none
     * @throws PsException IO
     */
    public void markAbandoned(String run, long fence, Optional<CutId> restored) {
        long from = restored.map(CutId::number).orElse(0L);
        for (CutId cut : unnoted(run, fence)) {
            if (cut.number() > from) {
                note(cut, CutPaths.ABORTED);
            }
        }
    }

    /**
     * Returns the cuts of checkpoints of attempts before, of which nothing is noted, oldest first.
     * Whether they were complete nobody knows any more. Cuts of savepoints are not among them.
     *
     * @param fence of this attempt
     * @throws PsException IO
     */
    public List<CutId> unnoted(String run, long fence) {
        return directories(run).stream().filter(cut -> isUnnoted(cut, fence)).toList();
    }

    private boolean isUnnoted(CutId cut, long fence) {
        return cut.fence() < fence
                && cut.number() > 0 // which is of no checkpoint, but of the beginning
                && status(cut) == CutSummary.Status.UNKNOWN
                && readable(cut).filter(found -> !isOfSavepoint(found)).isPresent();
    }

    private static boolean isOfSavepoint(CutManifests.Found found) {
        return found.manifest().header().savepoint();
    }

    /** Returns the cuts of a run of which that was noted, oldest first. */
    public List<CutId> marked(String run, CutSummary.Status status) {
        return directories(run).stream().filter(cut -> status(cut) == status).toList();
    }

    /**
     * Returns the cuts of a run whose removal has begun and has not come to its end, oldest first.
     *
     * @throws PsException IO
     */
    public List<CutId> halfRemoved(String run) {
        return marked(run, CutSummary.Status.ABORTED).stream()
                .filter(cut -> !exists(CutPaths.manifest(model, cut)))
                .toList();
    }

    private boolean exists(String path) {
        try {
            return storage.exists(path);
        } catch (IOException e) {
            throw ModelFailures.io("read", path, e);
        }
    }

    /**
     * Returns the newest cut of the same run before {@code cut} whose manifest, and those of its
     * bases, can be read. Its files are not looked into.
     */
    public Optional<CutSummary> previous(CutId cut) {
        return previous(cut, cut);
    }

    /** Returns the newest usable cut before one, among those that do not need the damaged cut. */
    Optional<CutSummary> previous(CutId cut, CutId damaged) {
        NavigableMap<CutId, CutSummary> readable = readable(cut.run());
        readable.remove(damaged);
        return newest(readable.headMap(cut, false));
    }

    /**
     * Returns the newest cut of a run whose manifest, and those of its bases, can be read. Its
     * files are not looked into.
     */
    Optional<CutSummary> newest(String run) {
        return newest(readable(run));
    }

    private NavigableMap<CutId, CutSummary> readable(String run) {
        NavigableMap<CutId, CutSummary> readable = new TreeMap<>();
        list(run, failure -> true).cuts().forEach(found -> readable.put(found.id(), found));
        return readable;
    }

    private static Optional<CutSummary> newest(NavigableMap<CutId, CutSummary> readable) {
        return readable.descendingMap().values().stream()
                .filter(cut -> missing(cut, readable).isEmpty())
                .findFirst();
    }

    /** Returns the first of the cuts it adds to that is not there as it was. */
    private static Optional<CutId> missing(CutSummary of, Map<CutId, CutSummary> readable) {
        CutSummary cut = of;
        for (int length = 1; cut.base().isPresent(); length++) {
            CutBase base = cut.base().get();
            cut = readable.get(base.cut());
            if (cut == null
                    || cut.ref().crc32c() != base.crc32c()
                    || length == CutChain.MAX_LENGTH) {
                return Optional.of(base.cut());
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the cuts that add to one, directly or not: what cannot be used without it. Oldest
     * first.
     *
     * @throws PsException CORRUPT if there is a cut of a newer format, which may be one; IO
     */
    public List<CutSummary> dependents(CutId cut) {
        return listNeeds(cut.run()).dependents(cut);
    }

    /**
     * Returns the first cut of its attempt that is the same model as one after the end of training,
     * where all workers had finished. That one need not be there: its workers may each have named
     * another of these in its checkpoint, and come to this one all alike.
     *
     * @return empty if the cut is not known to be after the end
     * @throws PsException IO
     */
    public Optional<CutSummary> firstAlike(CutId cut) {
        Optional<CutManifests.Found> own = readable(cut);
        if (own.isPresent() && !own.get().manifest().isFinal()) {
            return Optional.empty();
        }
        return directories(cut.run()).stream()
                .filter(id -> id.fence() == cut.fence() && id.compareTo(cut) <= 0)
                .map(this::readable)
                .flatMap(Optional::stream)
                .filter(found -> found.manifest().isFinal())
                .findFirst()
                .map(found -> CutSummary.of(found, status(found.manifest().header().id())));
    }

    /**
     * Returns the first cut after the end of training of each attempt, but for those given up: what
     * checkpoints and savepoints of that attempt may refer to instead of a cut of their own.
     */
    public Set<CutId> standIns(String run) {
        return finals(run).values().stream()
                .map(NavigableSet::first)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Returns the other cuts after the end of training: each is the same model as that of its
     * attempt.
     */
    public Set<CutId> copies(String run) {
        Set<CutId> copies = new TreeSet<>();
        finals(run).values().forEach(all -> copies.addAll(all.tailSet(all.first(), false)));
        return copies;
    }

    /**
     * Returns the cuts taken after the end of training, without those given up, by the fence of
     * their attempt.
     */
    private Map<Long, NavigableSet<CutId>> finals(String run) {
        Map<Long, NavigableSet<CutId>> finals = new TreeMap<>();
        for (CutId cut : directories(run)) {
            if (status(cut) != CutSummary.Status.ABORTED
                    && readable(cut).filter(found -> found.manifest().isFinal()).isPresent()) {
                finals.computeIfAbsent(cut.fence(), fence -> new TreeSet<>()).add(cut);
            }
        }
        return finals;
    }

    private Optional<CutManifests.Found> readable(CutId cut) {
        String path = CutPaths.manifest(model, cut);
        if (!exists(path)) {
            return Optional.empty();
        }
        try {
            return Optional.of(CutManifests.find(storage, path))
                    .filter(found -> found.manifest().header().id().equals(cut));
        } catch (PsException e) {
            if (e.code() != ErrorCode.CORRUPT) {
                throw e;
            }
            return Optional.empty();
        }
    }

    /**
     * Removes a cut, whether or not it is there: its manifest, so that it is no longer a cut, then
     * its files.
     *
     * @return the bytes of its files
     * @throws PsException INVALID_ARGUMENT if an increment needs it; CORRUPT if there is a cut of a
     *     newer format, which may; IO
     */
    public long remove(CutId cut) {
        List<CutSummary> dependents = dependents(cut);
        if (!dependents.isEmpty()) {
            throw new PsException(
                    ErrorCode.INVALID_ARGUMENT,
                    cut
                            + " cannot be removed: later cuts add to it, "
                            + dependents.get(0).id()
                            + " first. Remove those before it");
        }
        long bytes = bytes(CutPaths.directory(model, cut));
        delete(cut);
        return bytes;
    }

    /**
     * Removes all that is kept of a run, whether or not it is there: its cuts, increments before
     * their bases, then the rest.
     *
     * @return the bytes of its files
     * @throws PsException IO
     */
    public long removeRun(String run) {
        String directory = CutPaths.run(model, run);
        long bytes = bytes(directory);
        List<CutId> cuts = new ArrayList<>(directories(run));
        Collections.reverse(cuts);
        cuts.forEach(this::delete);
        try {
            storage.delete(directory);
        } catch (IOException e) {
            throw ModelFailures.io("remove", directory, e);
        }
        return bytes;
    }

    private long bytes(String directory) {
        try {
            return storage.bytes(directory);
        } catch (IOException e) {
            throw ModelFailures.io("list", directory, e);
        }
    }

    /**
     * Removes those of some cuts that no cut beside them needs.
     *
     * @param removable cuts of one run
     * @return what is removed, in the order in which that was done: increments before their bases
     */
    public List<CutId> removeUnneeded(String run, Collection<CutId> removable) {
        Set<CutId> needed = listNeeds(run).bases(removable);
        List<CutId> removed = new ArrayList<>(new TreeSet<>(removable));
        removed.removeIf(cut -> !cut.run().equals(run) || needed.contains(cut));
        Collections.reverse(removed);
        removed.forEach(this::delete);
        return removed;
    }

    /**
     * Removes what cuts that were never completed have left: directories without a manifest of
     * attempts before that with the fence given, which can no longer be writing. One that an
     * increment names as its base stays.
     *
     * @return what is removed
     */
    public List<CutId> sweep(String run, long fence) {
        Set<CutId> needed = listNeeds(run).bases(Set.of());
        List<CutId> removed = new ArrayList<>();
        for (CutId id : directories(run)) {
            if (id.fence() < fence
                    && !needed.contains(id)
                    && !exists(CutPaths.manifest(model, id))) {
                delete(id);
                removed.add(id);
            }
        }
        return removed;
    }

    /**
     * Removes a cut, its manifest first. The mark that it was given up stays until the last, so
     * that another can end a removal that is not ended here.
     */
    private void delete(CutId cut) {
        String directory = CutPaths.directory(model, cut);
        try {
            storage.delete(directory + "/" + CutPaths.MANIFEST);
            if (storage.exists(directory)) {
                storage.syncDirectory(directory);
            }
            for (String name : storage.list(directory)) {
                if (!name.equals(CutPaths.ABORTED)) {
                    storage.delete(directory + "/" + name);
                }
            }
            storage.delete(directory);
        } catch (IOException e) {
            throw ModelFailures.io("remove", directory, e);
        }
    }
}
