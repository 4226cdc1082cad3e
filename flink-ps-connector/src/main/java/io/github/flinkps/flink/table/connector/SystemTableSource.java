package io.github.flinkps.flink.table.connector;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.ProviderContext;
import org.apache.flink.table.connector.source.DataStreamScanProvider;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.DataType;
import org.apache.flink.util.Collector;

/** Reads a {@link SystemTable}: its parts, one by one, wherever the job has slots for them. */
final class SystemTableSource implements ScanTableSource {
    private final String name;
    private final DataType rows;
    private final List<SystemPart> parts;

    /**
     * @param name of the table, for people
     * @param rows their type
     * @param parts of the table; what is read is what they find then
     */
    SystemTableSource(String name, DataType rows, List<? extends SystemPart> parts) {
        this.name = name;
        this.rows = rows;
        this.parts = List.copyOf(parts);
    }

    /** Returns the type of its rows. */
    DataType rows() {
        return rows;
    }

    @Override
    public ChangelogMode getChangelogMode() {
        return ChangelogMode.insertOnly();
    }

    @Override
    public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
        return new Scan(context);
    }

    private final class Scan implements DataStreamScanProvider {
        private final ScanContext context;

        Scan(ScanContext context) {
            this.context = context;
        }

        @Override
        public DataStream<RowData> produceDataStream(
                ProviderContext provider, StreamExecutionEnvironment environment) {
            // A sequence cannot be empty.
            List<SystemPart> read = parts.isEmpty() ? List.of(out -> {}) : parts;
            var numbers =
                    environment.fromSource(
                            new NumberSequenceSource(0, read.size() - 1L),
                            WatermarkStrategy.noWatermarks(),
                            "parts of " + name);
            var rowsRead =
                    numbers.flatMap(new PartReader(read))
                            .returns(context.<RowData>createTypeInformation(rows))
                            .name("read " + name);
            if (read.size() == 1) {
                numbers.setParallelism(1);
                rowsRead.setParallelism(1);
            }
            provider.generateUid("parts").ifPresent(numbers::uid);
            provider.generateUid("read").ifPresent(rowsRead::uid);
            return rowsRead;
        }

        @Override
        public boolean isBounded() {
            return true;
        }
    }

    private static final class PartReader implements FlatMapFunction<Long, RowData> {
        private static final long serialVersionUID = 1L;
        private final ArrayList<SystemPart> parts;

        PartReader(List<SystemPart> parts) {
            this.parts = new ArrayList<>(parts);
        }

        @Override
        public void flatMap(Long part, Collector<RowData> out) {
            parts.get(part.intValue()).read(out::collect);
        }
    }

    @Override
    public DynamicTableSource copy() {
        return new SystemTableSource(name, rows, parts);
    }

    @Override
    public String asSummaryString() {
        return name;
    }
}
