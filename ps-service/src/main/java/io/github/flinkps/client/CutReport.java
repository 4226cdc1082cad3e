package io.github.flinkps.client;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.model.StoredFile;
import io.github.flinkps.model.TableLayout;
import io.github.flinkps.model.cut.CutClock;
import io.github.flinkps.model.cut.CutPart;
import io.github.flinkps.model.cut.CutPartition;
import io.github.flinkps.protocol.AdminMessages;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The parts of a cut that all servers have made durable. With the manifest that {@code
 * CutManifest.merge} makes of this report, the cut is complete.
 *
 * @param base the earlier cut of this attempt that it has the changes since; 0: it has all rows
 * @param layouts of the model's tables, in the order of their names
 * @param parts by the owner threads
 * @param savedBytes most memory that rows took at the servers which had to be saved from being
 *     overwritten before they were copied: of all owner threads, each at its most
 */
public record CutReport(
        long base, List<TableLayout> layouts, List<CutPart> parts, long savedBytes) {
    /**
     * Returns whether all workers had finished: every later cut of the attempt is the same model.
     */
    public boolean isFinal() {
        return !parts.isEmpty()
                && parts.stream()
                        .flatMap(part -> part.workers().stream())
                        .allMatch(worker -> worker.state() == CutClock.State.FINISHED);
    }

    /** Puts together what owner threads say, given the definitions of the tables. */
    static CutReport of(List<AdminMessages.CutReport> reports, Map<String, TableSpec> definitions) {
        AdminMessages.CutReport first = reports.get(0);
        List<CutPart> parts = new ArrayList<>();
        long savedBytes = 0;
        for (AdminMessages.CutReport report : reports) {
            if (report.base() != first.base() || !report.tables().equals(first.tables())) {
                throw new PsException(
                        ErrorCode.INTERNAL,
                        "owner threads disagree on what a cut is: "
                                + first.tables()
                                + " since "
                                + first.base()
                                + ", "
                                + report.tables()
                                + " since "
                                + report.base());
            }
            parts.add(part(report));
            savedBytes += report.savedBytes();
        }
        List<TableLayout> layouts = new ArrayList<>();
        for (AdminMessages.CutTable table : first.tables()) {
            TableSpec spec = definitions.get(table.name());
            if (spec == null) {
                throw new PsException(
                        ErrorCode.UNKNOWN_TABLE,
                        "a cut has table '" + table.name() + "', which this session does not know");
            }
            layouts.add(new TableLayout(spec, table.slots(), table.steps()));
        }
        return new CutReport(first.base(), List.copyOf(layouts), List.copyOf(parts), savedBytes);
    }

    private static CutPart part(AdminMessages.CutReport report) {
        List<CutPartition> partitions = new ArrayList<>();
        for (AdminMessages.CutPartition partition : report.partitions()) {
            partitions.add(
                    new CutPartition(
                            partition.table(),
                            partition.partition(),
                            partition.rows(),
                            partition.steps(),
                            partition.stepsBefore(),
                            file(partition.file())));
        }
        List<CutClock> clocks = new ArrayList<>();
        for (int worker = 0; worker < report.clocks().length; worker++) {
            long clock = report.clocks()[worker];
            clocks.add(
                    switch ((int) report.states()[worker]) {
                        case 0 -> CutClock.active(clock);
                        case 1 -> CutClock.idle(clock);
                        default -> CutClock.finished();
                    });
        }
        List<StoredFile> rounds = report.rounds().stream().map(CutReport::file).toList();
        return new CutPart(partitions, rounds, clocks);
    }

    private static StoredFile file(AdminMessages.CutFile file) {
        return file == null
                ? null
                : new StoredFile(file.path(), file.rows(), file.bytes(), file.crc32c());
    }
}
