package io.github.flinkps.examples;

import io.github.flinkps.flink.ml.LogisticRegression;
import java.util.List;
import org.apache.flink.ml.builder.Pipeline;
import org.apache.flink.ml.builder.PipelineModel;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/**
 * Fits a pipeline of Flink ML and predicts with what it has saved: {@code TrainPipeline FOLDER}. On
 * a cluster the jars of Flink ML lie beside the connector in Flink's lib.
 */
public final class TrainPipeline {
    private TrainPipeline() {}

    public static void main(String[] args) throws Exception {
        if (args.length != 1) {
            throw new IllegalArgumentException("usage: TrainPipeline FOLDER");
        }
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment();
        StreamTableEnvironment tables = StreamTableEnvironment.create(environment);
        tables.executeSql(
                "CREATE TEMPORARY TABLE numbers (n BIGINT) WITH ('connector' = 'datagen',"
                        + " 'number-of-rows' = '300', 'fields.n.kind' = 'sequence',"
                        + " 'fields.n.start' = '0', 'fields.n.end' = '299')");
        Table clicks =
                tables.sqlQuery(
                        "SELECT CONCAT('site-', CAST(MOD(n, 3) AS STRING)) AS site,"
                                + " MOD(n, 7) / 7e0 AS price, MOD(n, 3) = 1 AS clicked FROM"
                                + " numbers");
        LogisticRegression clicked =
                new LogisticRegression()
                        .setFeaturesCols("site", "price")
                        .setLabelCol("clicked")
                        .setOptimizer("ftrl")
                        .setMaxIter(5)
                        .setModelRoot("file://" + args[0] + "/models");
        new Pipeline(List.of(clicked)).fit(clicks).save(args[0] + "/pipeline");
        environment.execute("train a pipeline");

        Table predicted = PipelineModel.load(tables, args[0] + "/pipeline").transform(clicks)[0];
        tables.createTemporaryView("predicted", predicted);
        tables.executeSql("SELECT site, clicked, prediction FROM predicted WHERE price < 0.1")
                .print();
    }
}
