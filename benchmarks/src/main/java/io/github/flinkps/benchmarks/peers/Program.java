package io.github.flinkps.benchmarks.peers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.flinkps.flink.metrics.BinaryMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that trains on a {@link Workload} and is tested with it, in a process of its own.
 *
 * @param title for people
 * @param start the beginning of its command; ours, or that of a peer's script in {@code
 *     benchmarks/peers}
 * @param options the rest of it
 * @param ours whether it is this project's
 */
record Program(String title, List<String> start, List<String> options, boolean ours) {
    /**
     * Returns a training of this project's command line.
     *
     * @param root of the repository
     * @param options of {@code flink-ps train} beside its rows, separated by blanks
     */
    static Program ours(Path root, String options) {
        List<String> words = options.isEmpty() ? List.of() : List.of(options.split(" "));
        String title = "`flink-ps train" + (options.isEmpty() ? "" : " " + options) + "`";
        return new Program(title, List.of(root.resolve("bin/flink-ps").toString()), words, true);
    }

    /**
     * Returns a peer.
     *
     * @param python that has what its script imports
     */
    static Program peer(String title, String python, Path script, String... options) {
        return new Program(title, List.of(python, script.toString()), List.of(options), false);
    }

    /**
     * Runs the program.
     *
     * @param tested whether to measure the model too
     * @throws IllegalStateException with the end of its output if it fails
     */
    Figures run(Workload rows, boolean tested) throws IOException, InterruptedException {
        System.err.println(rows.title() + ": " + title);
        Files.deleteIfExists(rows.file("predictions"));
        Files.deleteIfExists(rows.file("report"));
        ProcessCost cost = ProcessCost.of(title, command(rows, tested), rows.file("log"));
        JsonNode report = JsonMapper.builder().build().readTree(rows.file("report").toFile());
        double seconds = report.get("trainSeconds").asDouble();
        if (ours) {
            JsonNode test = report.get("test");
            return new Figures(
                    cost,
                    seconds,
                    report.get("bytesSentPerRow").asDouble()
                            + report.get("bytesReceivedPerRow").asDouble(),
                    tested ? test.get("logloss").asDouble() : Double.NaN,
                    tested ? test.get("auc").asDouble() : Double.NaN);
        }
        BinaryMetrics metrics = tested ? Predictions.read(rows.file("predictions")) : null;
        return new Figures(
                cost,
                seconds,
                Double.NaN,
                tested ? metrics.logloss() : Double.NaN,
                tested ? metrics.auc() : Double.NaN);
    }

    private List<String> command(Workload rows, boolean tested) {
        List<String> command = new ArrayList<>(start);
        if (ours) {
            command.addAll(List.of("train", "--quiet", "--input", rows.file("train.svm") + ""));
            command.addAll(List.of("--report", rows.file("report").toString()));
            if (tested) {
                command.addAll(List.of("--test", rows.file("test.svm").toString()));
            }
        } else {
            command.addAll(List.of(rows.folder().toString(), rows.bits() + "", tested + ""));
        }
        command.addAll(options);
        return command;
    }
}
