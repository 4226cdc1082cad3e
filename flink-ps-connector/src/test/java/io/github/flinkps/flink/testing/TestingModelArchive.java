package io.github.flinkps.flink.testing;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.RowChunk;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.service.ModelArchive;
import io.github.flinkps.flink.service.PendingModel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Keeps saved models in memory, by directory. */
public final class TestingModelArchive implements ModelArchive {
    /** Tables and rows, by directory. */
    public static final Map<String, Map<TableSpec, RowChunk>> SAVED = new ConcurrentHashMap<>();

    private static final long serialVersionUID = 1L;

    private final String service;

    TestingModelArchive(String service) {
        this.service = service;
    }

    @Override
    public void checkWritable(List<TableSpec> tables, String directory) {}

    @Override
    public void load(ModelSession session, List<TableSpec> tables, String directory)
            throws Exception {
        TestingParameterService.of(service).called("load " + directory);
        for (Map.Entry<TableSpec, RowChunk> table : SAVED.get(directory).entrySet()) {
            session.load(table.getKey().name(), table.getValue()).get(10, TimeUnit.SECONDS);
        }
    }

    @Override
    public PendingModel write(
            ModelSession session, List<TableSpec> tables, String directory, boolean withSlots)
            throws Exception {
        TestingParameterService state = TestingParameterService.of(service);
        Map<TableSpec, RowChunk> saved = new HashMap<>();
        for (TableSpec table : tables) {
            saved.put(table, session.scan(table.name(), 0, 0, withSlots).get(10, TimeUnit.SECONDS));
        }
        return new PendingModel() {
            @Override
            public void publish(Map<String, String> facts) {
                state.called("save " + directory + " with " + state.openServers.get() + " servers");
                SAVED.put(directory, saved);
            }

            @Override
            public void close() {}
        };
    }
}
