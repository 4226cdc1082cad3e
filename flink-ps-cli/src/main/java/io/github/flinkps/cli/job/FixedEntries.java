package io.github.flinkps.cli.job;

import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.data.RowFormat;
import io.github.flinkps.flink.data.RowParser;
import io.github.flinkps.flink.data.RowProblem;

/**
 * Rows of another format that must all have as many entries as the model wants; one that has not is
 * a bad row, known by its file and line.
 *
 * @param entries of each row
 * @param why for messages
 */
record FixedEntries(RowFormat format, int entries, String why) implements RowFormat {
    private static final long serialVersionUID = 1L;

    @Override
    public String name() {
        return format.name();
    }

    @Override
    public boolean header() {
        return format.header();
    }

    @Override
    public RowParser newParser() {
        RowParser parser = format.newParser();
        RowBatchBuilder row = new RowBatchBuilder();
        return (buffer, from, to, out) -> {
            row.clear();
            parser.parse(buffer, from, to, row);
            if (row.rows() == 0) {
                return;
            }
            if (row.entries() != entries) {
                throw new RowProblem(
                        from,
                        "the row has "
                                + (row.entries() == 1 ? "1 entry" : row.entries() + " entries")
                                + ", where each row must have "
                                + entries
                                + " ("
                                + why
                                + ")");
            }
            for (int i = 0; i < entries; i++) {
                out.add(row.key(i), row.value(i));
            }
            out.endRow(row.label(0), row.weight(0));
        };
    }
}
