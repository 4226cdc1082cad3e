package io.github.flinkps.model.cut;

import io.github.flinkps.common.PsException;
import io.github.flinkps.model.ModelFailures;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.StorageFiles;
import io.github.flinkps.model.StoredFile;
import io.github.flinkps.model.TableLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The manifests of a cut: its own, that of the cut it adds to, and so on to one with all rows.
 * Immutable, thread-safe.
 */
public final class CutChain {
    /** Most cuts of a chain: an increment of a longer one is refused. */
    public static final int MAX_LENGTH = 256;

    private final List<String> paths;
    private final List<CutManifest> manifests;

    private CutChain(List<String> paths, List<CutManifest> manifests) {
        Collections.reverse(paths);
        Collections.reverse(manifests);
        this.paths = List.copyOf(paths);
        this.manifests = List.copyOf(manifests);
    }

    /**
     * Reads a cut's manifest and those of its bases, each of which must be the one it was when the
     * cut was taken, of the same run and model.
     *
     * @throws PsException CORRUPT or IO, naming the file, the cut, and an earlier cut that can be
     *     used instead
     */
    public static CutChain read(ModelStorage storage, ManifestRef ref) {
        CutManifest newest;
        try {
            newest = CutManifests.read(storage, ref);
        } catch (PsException e) {
            throw CutAlternatives.unreadable(storage, ref.path(), e);
        }
        List<String> paths = new ArrayList<>(List.of(ref.path()));
        List<CutManifest> manifests = new ArrayList<>(List.of(newest));
        try {
            follow(storage, paths, manifests);
        } catch (PsException e) {
            CutId damaged =
                    manifests
                            .get(manifests.size() - 1)
                            .header()
                            .base()
                            .map(CutBase::cut)
                            .orElse(newest.header().id());
            throw CutAlternatives.of(storage, ref.path(), newest.header().id(), damaged, e);
        }
        return new CutChain(paths, manifests);
    }

    /**
     * Appends the cuts that the first one adds to, the latest first. There is no cycle: the check
     * of a manifest makes sure that its increment names an earlier cut.
     */
    private static void follow(
            ModelStorage storage, List<String> paths, List<CutManifest> manifests) {
        CutManifest last = manifests.get(0);
        String path = paths.get(0);
        while (last.header().base().isPresent()) {
            CutBase base = last.header().base().get();
            path = CutPaths.sibling(path, base.cut());
            if (manifests.size() == MAX_LENGTH) {
                throw ModelFailures.corrupt(
                        path, "more than " + MAX_LENGTH + " cuts add to each other");
            }
            CutManifest next = CutManifests.read(storage, new ManifestRef(path, base.crc32c()));
            if (!next.header().id().equals(base.cut())) {
                throw ModelFailures.corrupt(path, "it is " + next.header().id());
            }
            if (!next.header().model().model().equals(last.header().model().model())
                    || !layouts(next).equals(layouts(last))) {
                throw ModelFailures.corrupt(path, "it is a cut of another model");
            }
            paths.add(path);
            manifests.add(next);
            last = next;
        }
    }

    private static List<TableLayout> layouts(CutManifest manifest) {
        return manifest.tables().stream().map(CutTable::layout).toList();
    }

    /** Returns the manifest of the cut itself. */
    public CutManifest manifest() {
        return manifests.get(manifests.size() - 1);
    }

    /** Returns the path of the manifest of the cut itself. */
    public String path() {
        return paths.get(paths.size() - 1);
    }

    /** Returns all cuts, the one with all rows first, the cut itself last. */
    public List<CutId> cuts() {
        return manifests.stream().map(manifest -> manifest.header().id()).toList();
    }

    /** Returns the bytes of the files of all cuts. */
    public long bytes() {
        return manifests.stream().mapToLong(CutManifest::bytes).sum();
    }

    /**
     * A file of one of the cuts.
     *
     * @param cut it belongs to
     * @param path in the storage
     * @param stored what it was when written
     */
    record Link(CutId cut, String path, StoredFile stored) {}

    /** Returns the files of a partition in the order in which their rows apply. */
    List<Link> files(int table, int partition) {
        List<Link> links = new ArrayList<>();
        for (int i = 0; i < manifests.size(); i++) {
            StoredFile file =
                    manifests.get(i).tables().get(table).partitions().get(partition).file();
            if (file != null) {
                links.add(link(i, file));
            }
        }
        return links;
    }

    /** Returns the files of unfinished rounds of the cut itself. */
    List<Link> rounds() {
        List<Link> links = new ArrayList<>();
        for (StoredFile file : manifest().rounds()) {
            links.add(link(manifests.size() - 1, file));
        }
        return links;
    }

    private Link link(int index, StoredFile file) {
        String directory = StorageFiles.parent(paths.get(index));
        return new Link(manifests.get(index).header().id(), directory + "/" + file.path(), file);
    }
}
