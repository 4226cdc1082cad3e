package io.github.flinkps.model.cut;

import io.github.flinkps.model.PartitionFileWriter;
import io.github.flinkps.model.StoredFile;
import io.github.flinkps.model.TableLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** One manifest of what several writers report. */
final class CutMerge {
    private CutMerge() {}

    static List<CutTable> tables(List<TableLayout> layouts, Collection<CutPart> parts) {
        List<CutPartition[]> found = new ArrayList<>();
        layouts.forEach(layout -> found.add(new CutPartition[layout.spec().partitions()]));
        for (CutPart part : parts) {
            for (CutPartition partition : part.partitions()) {
                int table = partition.table();
                int number = partition.partition();
                if (table < 0 || table >= found.size()) {
                    throw new IllegalArgumentException("there is no table " + table);
                }
                CutPartition[] places = found.get(table);
                if (number < 0 || number >= places.length) {
                    throw new IllegalArgumentException(named(layouts, table, number) + " is none");
                }
                if (places[number] != null) {
                    throw new IllegalArgumentException(
                            named(layouts, table, number) + " was reported twice");
                }
                places[number] = partition;
            }
        }
        List<CutTable> tables = new ArrayList<>();
        for (int t = 0; t < found.size(); t++) {
            int missing = Arrays.asList(found.get(t)).indexOf(null);
            if (missing >= 0) {
                throw new IllegalArgumentException(named(layouts, t, missing) + " is missing");
            }
            tables.add(new CutTable(layouts.get(t), List.of(found.get(t))));
        }
        return tables;
    }

    private static String named(List<TableLayout> layouts, int table, int partition) {
        return "partition " + partition + " of table '" + layouts.get(table).spec().name() + "'";
    }

    static List<StoredFile> rounds(Collection<CutPart> parts) {
        return parts.stream()
                .flatMap(part -> part.rounds().stream())
                .sorted(Comparator.comparing(StoredFile::path))
                .toList();
    }

    /**
     * Merges the clocks that parts report: the lowest of each worker. A worker that was idle may
     * have rejoined at another clock at each owner; nobody waits in vain for the lowest.
     */
    static List<CutClock> clocks(int workers, Collection<CutPart> parts) {
        CutClock[] merged = new CutClock[workers];
        for (CutPart part : parts) {
            if (part.workers().size() != workers) {
                throw new IllegalArgumentException(
                        part.workers().size() + " clocks of " + workers + " workers");
            }
            for (int w = 0; w < workers; w++) {
                CutClock clock = part.workers().get(w);
                if (merged[w] != null && merged[w].state() != clock.state()) {
                    throw new IllegalArgumentException(
                            "worker "
                                    + w
                                    + " is reported as "
                                    + merged[w].state()
                                    + " and as "
                                    + clock.state());
                }
                if (merged[w] == null || clock.clock() < merged[w].clock()) {
                    merged[w] = clock;
                }
            }
        }
        int missing = Arrays.asList(merged).indexOf(null);
        if (missing >= 0) {
            throw new IllegalArgumentException("the clock of worker " + missing + " is missing");
        }
        return List.of(merged);
    }

    /** Refuses a table without a partition, or with files of other names than they must have. */
    static void checkPartitions(int index, CutTable table, boolean full) {
        String name = table.layout().spec().name();
        if (table.partitions().size() != table.layout().spec().partitions()) {
            throw new IllegalArgumentException(
                    "table '" + name + "' has " + table.partitions().size() + " partitions");
        }
        for (int p = 0; p < table.partitions().size(); p++) {
            CutPartition partition = table.partitions().get(p);
            if (partition.table() != index || partition.partition() != p) {
                throw new IllegalArgumentException("table '" + name + "' lacks partition " + p);
            }
            StoredFile file = partition.file();
            String path = PartitionFileWriter.path(CutPaths.DATA, index, name, p);
            if (file != null && !file.path().equals(path)) {
                throw new IllegalArgumentException(
                        "'" + file.path() + "' is not the file of partition " + p);
            }
            long here = file == null ? 0 : file.rows();
            if (full && table.layout().spec().isSparse() && here != partition.rows()) {
                throw new IllegalArgumentException(
                        "partition "
                                + p
                                + " of table '"
                                + name
                                + "' has "
                                + here
                                + " of its "
                                + partition.rows()
                                + " rows in a cut without a base");
            }
        }
    }
}
