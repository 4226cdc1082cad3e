package io.github.flinkps.benchmarks.flinkml;

import io.github.flinkps.benchmarks.peers.IndexedRows;
import io.github.flinkps.cli.generate.ClickLog;
import io.github.flinkps.cli.generate.GeneratedRows;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Rows and the estimator that is compared on them.
 *
 * @param name for the programs and {@code --only}
 * @param title for people
 * @param estimator its name, the same of both
 * @param features whose indices are below this number
 * @param batch rows of a mini-batch over all subtasks
 * @param faster how often ours is to go into the seconds of Flink ML's, start-up included
 * @param needs files below the folder of data sets
 * @param rows writes them
 */
record ComparedWorkload(
        String name,
        String title,
        String estimator,
        int features,
        int batch,
        double faster,
        List<String> needs,
        Writer rows) {
    /** Writes the folders {@code train} and {@code test}. */
    interface Writer {
        void write(Path folder) throws IOException;
    }

    private static final List<String> A9A = List.of("a9a/a9a.libsvm", "a9a/a9a.t.libsvm");

    private static final int A9A_FEATURES = 124;

    /** Returns one pass over rows of a generated log; a hundred mini-batches. */
    static ComparedWorkload clicks(long rows, int bits) {
        return new ComparedWorkload(
                "clicks",
                "click log, %d rows, 2^%d features".formatted(rows, bits),
                "OnlineLogisticRegression",
                1 << bits,
                (int) Math.max(1, Math.min(10_000, rows / 100)),
                8,
                List.of(),
                folder -> {
                    GeneratedRows log = ClickLog.of(GeneratedRows.cache(), rows, 0, false);
                    IndexedRows.ofClicks(log.train(), bits, folder.resolve("train"));
                    IndexedRows.ofClicks(log.test(), bits, folder.resolve("test"));
                });
    }

    /**
     * Returns the workload of passes over a9a.
     *
     * @param data the folder of data sets
     * @param rows the most rows, for training and test together
     */
    static ComparedWorkload a9a(Path data, long rows) {
        return new ComparedWorkload(
                "a9a",
                "a9a",
                "LogisticRegression",
                A9A_FEATURES,
                1000,
                1,
                A9A,
                folder -> {
                    IndexedRows.ofLibsvm(data.resolve(A9A.get(0)), rows, folder.resolve("train"));
                    IndexedRows.ofLibsvm(data.resolve(A9A.get(1)), rows, folder.resolve("test"));
                });
    }
}
