package io.github.flinkps.flink.table;

import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelManifest;
import io.github.flinkps.model.ModelReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.RootAllocator;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/** Tables of rows and of models for tests of SQL, and what jobs have made of the models. */
final class ModelTables {
    private static final long BOUND_SECONDS = 60;

    final StreamTableEnvironment sql;
    private final Path root;

    /**
     * @param root folder of models
     */
    ModelTables(StreamExecutionEnvironment environment, Path root, boolean batch) {
        EnvironmentSettings.Builder settings = EnvironmentSettings.newInstance();
        this.sql =
                StreamTableEnvironment.create(
                        environment,
                        (batch ? settings.inBatchMode() : settings.inStreamingMode()).build());
        this.root = root;
    }

    /** Declares rows (number, y, x), numbered from 0 on, in their order. */
    void rows(String name, int count, String options) {
        sql.executeSql(
                "CREATE TEMPORARY TABLE "
                        + name
                        + "_numbers (n BIGINT) WITH ('connector'='datagen',"
                        + "'fields.n.kind'='sequence', 'fields.n.start'='0', 'fields.n.end'='"
                        + (count - 1)
                        + "'"
                        + options
                        + ")");
        sql.executeSql(
                "CREATE TEMPORARY VIEW "
                        + name
                        + " AS SELECT n, MOD(n * 7, 5) < 2 AS y,"
                        + " CONCAT('c', CAST(MOD(n * 7, 5) AS STRING)) AS c,"
                        + " CAST(MOD(n, 11) AS DOUBLE) / 11 AS x FROM "
                        + name
                        + "_numbers");
    }

    /** Makes rows as {@link #rows} does, of an input that says how many it has. */
    void boundedRows(String name, int count) {
        rows(name, count, ", 'number-of-rows'='" + count + "'");
    }

    /** Declares a model of rows (y, c, x) as a table of its own. */
    void model(String table, String model, String options) {
        sql.executeSql(
                "CREATE TEMPORARY TABLE "
                        + table
                        + " (y BOOLEAN, c STRING, x DOUBLE) WITH ('connector'='flink-ps',"
                        + "'model-root'='"
                        + root.toUri()
                        + "', 'model'='"
                        + model
                        + "', 'label'='y', 'batch-size'='16', 'timeout'='20 s', 'linger'='0 s'"
                        + options
                        + ")");
    }

    /** Runs a statement to the end of its job. */
    static void await(TableResult result) throws Exception {
        result.await(BOUND_SECONDS, TimeUnit.SECONDS);
    }

    void run(String statement) throws Exception {
        await(sql.executeSql(statement));
    }

    /** Begins the job of a statement. */
    JobClient start(String statement) {
        return sql.executeSql(statement).getJobClient().orElseThrow();
    }

    List<ModelVersion> versions(String model) {
        String[] names = model.split("\\.");
        return new ModelRoot(root.toString()).versions(names[0], names[1]);
    }

    ModelVersion newest(String model) {
        List<ModelVersion> all = versions(model);
        return all.get(all.size() - 1);
    }

    static ModelManifest manifest(ModelVersion version) {
        return ModelReader.readManifest(new LocalModelStorage(), path(version));
    }

    private static String path(ModelVersion version) {
        return version.directory().replaceFirst("^file:/+", "/");
    }

    /** Every row, by table and key: the bits of its values and slots. */
    static Map<String, List<Integer>> bits(ModelVersion version) {
        Map<String, List<Integer>> bits = new TreeMap<>();
        try (RootAllocator memory = new RootAllocator();
                ModelReader reader =
                        ModelReader.open(new LocalModelStorage(), path(version), memory)) {
            for (String table : List.of("weights", "bias")) {
                reader.read(
                        table,
                        block -> {
                            for (int i = 0; i < block.rows(); i++) {
                                List<Integer> row = new ArrayList<>();
                                row.add(Float.floatToRawIntBits(block.values()[i]));
                                for (float[] slot : block.slots()) {
                                    row.add(Float.floatToRawIntBits(slot[i]));
                                }
                                bits.put(table + block.keys()[i], row);
                            }
                        });
            }
        }
        return bits;
    }
}
