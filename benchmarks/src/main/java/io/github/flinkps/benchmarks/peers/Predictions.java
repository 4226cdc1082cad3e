package io.github.flinkps.benchmarks.peers;

import io.github.flinkps.flink.metrics.BinaryMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the predictions of programs: a line "probability label" for each test row. */
public final class Predictions {
    private Predictions() {}

    /** Measures the predictions in a file. */
    public static BinaryMetrics read(Path file) throws IOException {
        BinaryMetrics metrics = new BinaryMetrics();
        for (String line : Files.readAllLines(file)) {
            int space = line.indexOf(' ');
            metrics.add(
                    Float.parseFloat(line.substring(0, space)),
                    Float.parseFloat(line.substring(space + 1)),
                    1);
        }
        return metrics;
    }
}
