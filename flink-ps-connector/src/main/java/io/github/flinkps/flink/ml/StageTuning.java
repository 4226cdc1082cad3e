package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.data.RowExtractor;
import io.github.flinkps.flink.internal.compat.StreamGraphs;
import io.github.flinkps.flink.table.ModelSpec;
import io.github.flinkps.flink.table.tuning.RowReader;
import io.github.flinkps.flink.table.tuning.RowTuning;
import java.util.List;
import java.util.Map;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/** Finds options of a stage by the rows of its table, in a job of its own. */
final class StageTuning {
    private static final String NAME = "the stage";

    private final List<ColumnReader> columns;
    private final ModelSpec given;

    /**
     * @param columns of the table, in the order of those of the model
     * @param given what the params say
     */
    StageTuning(List<ColumnReader> columns, ModelSpec given) {
        this.columns = List.copyOf(columns);
        this.given = given;
    }

    /**
     * Returns the options that are found, none that is given. Blocks the calling thread until the
     * job has ended.
     *
     * @param rows of the table
     * @param reg the param; null unless it is set
     * @throws org.apache.flink.table.api.ValidationException if the job fails, with what failed
     */
    Map<String, String> find(StreamTableEnvironment environment, DataStream<Row> rows, Double reg) {
        RowTuning tuning = RowTuning.of(NAME, given.definition());
        if (!tuning.finds()) {
            return Map.of();
        }
        int operators = StreamGraphs.operators(rows);
        Table options =
                environment.fromDataStream(
                        tuning.add(rows, new Reader(columns), part -> "tune-" + part));
        StreamGraphs.forget(rows, operators);
        Map<String, String> found;
        try (CloseableIterator<Row> results = options.execute().collect()) {
            found = results.next().getFieldAs(0);
        } catch (Exception e) {
            Throwable cause = e;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            throw ModelSpec.refused(
                    "the search of param tune for options failed: " + cause.getMessage(), e);
        }
        if (reg != null) {
            found.remove("l2");
        }
        return found;
    }

    /** Reads rows of the table. */
    private record Reader(List<ColumnReader> columns) implements RowReader<Row> {
        private static final long serialVersionUID = 1L;

        @Override
        public RowExtractor<Row> extractor(ModelSpec spec) {
            return new TableRowExtractor(columns, spec.trainingRows());
        }

        @Override
        public Object value(Row row, int place) {
            return columns.get(place).read(row);
        }
    }
}
