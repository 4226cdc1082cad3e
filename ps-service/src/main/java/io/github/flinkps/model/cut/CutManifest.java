package io.github.flinkps.model.cut;

import io.github.flinkps.model.StoredFile;
import io.github.flinkps.model.TableLayout;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The description of a cut: the contents of its {@code manifest.json}. Whoever merges the same
 * parts gets the same manifest, byte for byte.
 *
 * @param header what the cut is
 * @param clocks of the workers, in order
 * @param tables with their partitions and files, in the order of the model
 * @param rounds files of the pushes of unfinished rounds, by path
 */
public record CutManifest(
        CutHeader header, List<CutClock> clocks, List<CutTable> tables, List<StoredFile> rounds) {
    /**
     * Version of the format that this program writes, and the newest that it reads. Version 2: the
     * rounds that steps have made.
     */
    public static final int FORMAT_VERSION = 2;

    /**
     * @throws IllegalArgumentException if it contradicts itself or lacks something
     */
    public CutManifest {
        clocks = List.copyOf(clocks);
        tables = List.copyOf(tables);
        rounds = List.copyOf(rounds);
        if (clocks.size() != header.workers()) {
            throw new IllegalArgumentException(
                    clocks.size() + " clocks of " + header.workers() + " workers");
        }
        if (!tables.stream()
                .map(table -> table.layout().spec())
                .toList()
                .equals(header.model().tables())) {
            throw new IllegalArgumentException("its tables are not those of the model");
        }
        for (int i = 0; i < tables.size(); i++) {
            CutMerge.checkPartitions(i, tables.get(i), header.base().isEmpty());
        }
        Set<String> paths = new HashSet<>();
        for (StoredFile file : rounds) {
            if (!CutPaths.isRoundsFile(file.path()) || !paths.add(file.path())) {
                throw new IllegalArgumentException(
                        "'" + file.path() + "' is no file of unfinished rounds, or twice there");
            }
        }
    }

    /** Returns whether all workers had finished: later cuts of the attempt are the same model. */
    boolean isFinal() {
        return clocks.stream().allMatch(clock -> clock.state() == CutClock.State.FINISHED);
    }

    /**
     * Puts together what the writers of a cut have reported, in any order.
     *
     * @param layouts of the model's tables, in order
     * @throws IllegalArgumentException if a partition is missing or was reported twice, or writers
     *     disagree on which workers train
     */
    public static CutManifest merge(
            CutHeader header, List<TableLayout> layouts, Collection<CutPart> parts) {
        return new CutManifest(
                header,
                CutMerge.clocks(header.workers(), parts),
                CutMerge.tables(layouts, parts),
                CutMerge.rounds(parts));
    }

    /** Returns the index of a table in the model, -1 if there is none of that name. */
    int indexOf(String table) {
        for (int i = 0; i < tables.size(); i++) {
            if (tables.get(i).layout().spec().name().equals(table)) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the number of rows of the model at the cut. */
    public long rows() {
        return tables.stream().mapToLong(CutTable::rows).sum();
    }

    /** Returns the files of this cut without its bases, but for the manifest. */
    public Stream<StoredFile> files() {
        return Stream.concat(
                tables.stream()
                        .flatMap(table -> table.partitions().stream())
                        .filter(partition -> partition.file() != null)
                        .map(CutPartition::file),
                rounds.stream());
    }

    /** Returns the bytes of {@link #files}. */
    public long bytes() {
        return files().mapToLong(StoredFile::bytes).sum();
    }
}
