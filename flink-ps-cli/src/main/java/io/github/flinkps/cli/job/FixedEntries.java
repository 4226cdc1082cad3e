package io.github.flinkps.cli.job;

import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.data.RowFormat;
import io.github.flinkps.flink.data.RowParser;
import io.github.flinkps.flink.data.RowProblem;

/**
 * Rows of another format whose entries must be such as the model wants; a row with others is a bad
 * one, known by its file and line.
 *
 * @param entries of each row, or {@link RowsInput#ANY}
 * @param why for messages
 * @param ones whether values must be 1
 * @param firstItem least index that a row's second entry may have
 * @param items number of such indices, 0 for any
 */
record FixedEntries(
        RowFormat format, int entries, String why, boolean ones, long firstItem, long items)
        implements RowFormat {
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
            if (entries != RowsInput.ANY && row.entries() != entries) {
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
            check(row, from);
            for (int i = 0; i < row.entries(); i++) {
                out.add(row.key(i), row.value(i));
            }
            out.endRow(row.label(0), row.weight(0));
        };
    }

    private void check(RowBatchBuilder row, int from) throws RowProblem {
        for (int i = 0; ones && i < row.entries(); i++) {
            if (row.value(i) != 1) {
                throw new RowProblem(
                        from,
                        "the row has value "
                                + row.value(i)
                                + " for index "
                                + row.key(i)
                                + ", where values must be 1 ("
                                + why
                                + ")");
            }
        }
        if (items > 0 && (row.key(1) < firstItem || row.key(1) - firstItem >= items)) {
            throw new RowProblem(
                    from,
                    "item "
                            + row.key(1)
                            + " is not one of the "
                            + items
                            + " items from "
                            + firstItem
                            + " on (--items, --first-item)");
        }
    }
}
