package io.github.flinkps.flink.table.function;

import io.github.flinkps.flink.table.ModelRoot;
import io.github.flinkps.flink.table.ModelVersion;
import io.github.flinkps.flink.table.function.PlainLogistic.Click;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/** Sessions of SQL with a model {@code ps.ads.ctr} and rows {@code clicks}, for tests. */
final class TrainTables {
    /** The columns of the model. */
    static final String COLUMNS = "clicked, site, price, w";

    /** The rows of a window, as in the queries. */
    static final int WINDOW = 60;

    static final LocalDateTime START = LocalDateTime.of(2026, 1, 1, 0, 0);
    static final TypeInformation<Row> ROW =
            Types.ROW_NAMED(
                    new String[] {"ts", "grp", "clicked", "site", "price", "w"},
                    Types.LOCAL_DATE_TIME,
                    Types.STRING,
                    Types.BOOLEAN,
                    Types.STRING,
                    Types.DOUBLE,
                    Types.DOUBLE);

    final StreamTableEnvironment sql;
    private final String root;

    TrainTables(StreamExecutionEnvironment environment, boolean batch, Path folder) {
        this(environment, batch, folder, "");
    }

    /**
     * @param module options of the module beside the model root
     */
    TrainTables(StreamExecutionEnvironment environment, boolean batch, Path folder, String module) {
        EnvironmentSettings.Builder settings = EnvironmentSettings.newInstance();
        sql =
                StreamTableEnvironment.create(
                        environment,
                        (batch ? settings.inBatchMode() : settings.inStreamingMode()).build());
        root = folder.toUri().toString();
        sql.executeSql(
                "CREATE CATALOG ps WITH ('type' = 'flink-ps', 'model-root' = '" + root + "')");
        sql.executeSql("CREATE DATABASE IF NOT EXISTS ps.ads");
        sql.executeSql("LOAD MODULE ps WITH ('model-root' = '" + root + "'" + module + ")");
    }

    /** Declares the model, with these options more. */
    TrainTables model(String options) {
        sql.executeSql(
                "CREATE TABLE IF NOT EXISTS ps.ads.ctr (clicked BOOLEAN, site STRING, price DOUBLE,"
                        + " w DOUBLE) WITH ('label' = 'clicked', 'weight' = 'w', 'numeric' ="
                        + " 'none', 'optimizer' = 'sgd', 'learning-rate' = '0.5', 'timeout' ="
                        + " '10 s'"
                        + options
                        + ")");
        return this;
    }

    static Row row(Click click) {
        return Row.of(
                START.plusSeconds(click.n()),
                click.grp(),
                click.clicked(),
                click.site(),
                click.price(),
                click.weight());
    }

    /** Declares the rows. */
    TrainTables clicks(DataStream<Row> rows) {
        sql.createTemporaryView(
                "clicks",
                rows,
                Schema.newBuilder()
                        .column("ts", DataTypes.TIMESTAMP(3))
                        .column("grp", DataTypes.STRING())
                        .column("clicked", DataTypes.BOOLEAN())
                        .column("site", DataTypes.STRING())
                        .column("price", DataTypes.DOUBLE())
                        .column("w", DataTypes.DOUBLE())
                        .watermark("ts", "ts")
                        .build());
        return this;
    }

    /** Declares rows that are all there. */
    TrainTables clicks(StreamExecutionEnvironment environment, List<Click> clicks) {
        List<Row> rows = clicks.stream().map(TrainTables::row).toList();
        return clicks(environment.fromData(rows, ROW).setParallelism(1));
    }

    /**
     * A query that trains.
     *
     * @param window a function of windows, behind its table and time
     * @param key what is grouped by too, with a comma behind it, or empty
     */
    static String query(String window, String key) {
        int open = window.indexOf('(');
        return "SELECT window_start, "
                + key
                + "t.row_count, t.logloss, t.auc, t.loss FROM (SELECT window_start, "
                + key
                + "PS_TRAIN('ps.ads.ctr', "
                + COLUMNS
                + ") AS t FROM TABLE("
                + window.substring(0, open + 1)
                + "TABLE clicks, DESCRIPTOR(ts), "
                + window.substring(open + 1)
                + ") GROUP BY "
                + key
                + "window_start, window_end)";
    }

    static String tumbling(String key) {
        return query("TUMBLE(INTERVAL '" + WINDOW + "' SECOND)", key);
    }

    List<Row> run(String query) throws Exception {
        List<Row> all = new ArrayList<>();
        try (CloseableIterator<Row> rows = sql.executeSql(query).collect()) {
            rows.forEachRemaining(all::add);
        }
        all.sort(
                (one, other) -> one.getField(0).toString().compareTo(other.getField(0).toString()));
        return all;
    }

    List<ModelVersion> versions() {
        return new ModelRoot(root).versions("ads", "ctr");
    }
}
