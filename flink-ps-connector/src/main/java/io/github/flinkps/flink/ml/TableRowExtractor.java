package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.data.RowExtractor;
import io.github.flinkps.flink.data.RowProblem;
import io.github.flinkps.flink.table.RowEncoder;
import java.util.List;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.types.Row;

/** Rows of a table as the model's; for one thread at a time. */
final class TableRowExtractor implements RowExtractor<Row> {
    private static final long serialVersionUID = 1L;

    private final List<ColumnReader> columns;
    private final RowEncoder encoder;

    /**
     * @param columns in the order in which the encoder wants them
     */
    TableRowExtractor(List<ColumnReader> columns, RowEncoder encoder) {
        this.columns = List.copyOf(columns);
        this.encoder = encoder;
    }

    @Override
    public void extract(Row row, RowBatchBuilder out) throws RowProblem {
        GenericRowData data = new GenericRowData(columns.size());
        for (int i = 0; i < data.getArity(); i++) {
            data.setField(i, columns.get(i).read(row));
        }
        encoder.extract(data, out);
    }
}
