package io.github.flinkps.examples;

import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.FlinkPs;
import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.LibsvmFormat;
import io.github.flinkps.flink.data.TextSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Trains logistic regression on files and folders of libsvm rows: {@code TrainOnFile --input
 * PATH,.. --model DIR [--OPTION VALUE ..]}. Made to be submitted to a cluster.
 */
public final class TrainOnFile {
    private static final String OPTIONS =
            "input model optimizer learning-rate servers remote model-name model-root workers"
                + " batch-size epochs consistency staleness seed timeout tls-trust tls-certificate"
                + " tls-key token-file";

    private TrainOnFile() {}

    public static void main(String[] args) throws Exception {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i + 1 < args.length; i += 2) {
            options.put(args[i].replaceFirst("^--", ""), args[i + 1].replace(',', ';'));
        }
        boolean known = List.of(OPTIONS.split(" ")).containsAll(options.keySet());
        if (args.length % 2 != 0 || !known || !options.containsKey("input")) {
            throw new IllegalArgumentException(
                    "usage: TrainOnFile --input PATH,.. [--OPTION VALUE ..] of " + OPTIONS);
        }
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        if (options.containsKey("workers")) {
            env.setParallelism(Integer.parseInt(options.get("workers")));
        }
        List<String> paths = List.of(options.get("input").split(";"));
        TextSource rows = TextSource.of(paths, LibsvmFormat.of(Labels.BINARY)).build();
        double rate = Double.parseDouble(options.getOrDefault("learning-rate", "0.1"));
        String optimizer = options.getOrDefault("optimizer", "adagrad");
        FlinkPs.train(
                        env.fromSource(rows, WatermarkStrategy.noWatermarks(), "rows"),
                        LogisticRegression.builder()
                                .optimizer(UpdateSpec.of(optimizer).with("learning-rate", rate))
                                .build())
                .setAll(Configuration.fromMap(options))
                .start()
                .reports()
                .print();
        env.execute("train on file");
    }
}
