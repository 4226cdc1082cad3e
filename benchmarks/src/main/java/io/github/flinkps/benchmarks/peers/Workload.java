package io.github.flinkps.benchmarks.peers;

import io.github.flinkps.cli.generate.ClickLog;
import io.github.flinkps.cli.generate.GeneratedRows;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Rows of a generated click log as every program reads them: files {@code train.svm} and {@code
 * test.svm} of libsvm, and {@code train.vw} and {@code test.vw} of Vowpal Wabbit. A row has 39
 * features of value 1; their indices are hashes, from 1 on.
 *
 * @param folder of the files
 * @param rows that train; test rows are a tenth as many
 * @param bits of the hash
 * @param best logloss of the model that made the rows
 */
record Workload(Path folder, long rows, int bits, double best) {
    /** Writes the rows into a folder. */
    static Workload write(Path folder, long rows, int bits) throws IOException {
        GeneratedRows log = ClickLog.of(GeneratedRows.cache(), rows, 0, false);
        write(log.train(), bits, folder, "train");
        write(log.test(), bits, folder, "test");
        return new Workload(folder, rows, bits, log.best().get("logloss"));
    }

    private static void write(Path csv, int bits, Path folder, String name) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(csv);
                PrintWriter svm = writer(folder.resolve(name + ".svm"));
                PrintWriter vw = writer(folder.resolve(name + ".vw"))) {
            lines.readLine(); // names of columns
            StringBuilder row = new StringBuilder();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                row.setLength(0);
                IndexedRows.clicks(line, bits)
                        .forEach(index -> row.append(' ').append(index + 1).append(":1"));
                boolean clicked = line.charAt(0) == '1';
                svm.append(clicked ? '1' : '0').append(row).append('\n');
                vw.append(clicked ? "1 |" : "-1 |").append(row).append('\n');
            }
            if (svm.checkError() || vw.checkError()) {
                throw new IOException("cannot write rows to " + folder);
            }
        }
    }

    private static PrintWriter writer(Path file) throws IOException {
        return new PrintWriter(Files.newBufferedWriter(file));
    }

    String title() {
        return "%,d rows, 2^%d features".formatted(rows, bits);
    }

    Path file(String name) {
        return folder.resolve(name);
    }
}
