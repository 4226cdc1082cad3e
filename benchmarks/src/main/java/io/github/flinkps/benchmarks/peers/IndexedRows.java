package io.github.flinkps.benchmarks.peers;

import io.github.flinkps.cli.generate.ClickLog;
import io.github.flinkps.common.KeyHash;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Rows as the programs read them: a label, and the ascending indices of the features that are 1.
 */
public final class IndexedRows {
    /** Files, of which several are read at a time. */
    private static final int PARTS = 8;

    private IndexedRows() {}

    /**
     * Writes rows of a click log, as one index for each of its fields by a hash. Numbers are told
     * apart by the square of their logarithm.
     *
     * @param bits of the hash
     */
    public static void ofClicks(Path csv, int bits, Path folder) throws IOException {
        write(
                csv,
                1,
                Long.MAX_VALUE,
                folder,
                line -> line(line.substring(0, line.indexOf(',')), clicks(line, bits)));
    }

    /** Writes the first rows of a libsvm file whose values are 1; index 0 is in all rows. */
    public static void ofLibsvm(Path libsvm, long rows, Path folder) throws IOException {
        write(libsvm, 0, rows, folder, IndexedRows::libsvm);
    }

    private static void write(
            Path file, int header, long rows, Path folder, UnaryOperator<String> indexed)
            throws IOException {
        Files.createDirectories(folder);
        List<PrintWriter> parts = new ArrayList<>();
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            for (int part = 0; part < PARTS; part++) {
                parts.add(new PrintWriter(Files.newBufferedWriter(folder.resolve("part-" + part))));
            }
            for (int i = 0; i < header; i++) {
                lines.readLine();
            }
            String line = lines.readLine();
            for (long row = 0; line != null && row < rows; row++) {
                parts.get((int) (row % PARTS)).println(indexed.apply(line));
                line = lines.readLine();
            }
        } finally {
            parts.forEach(PrintWriter::close);
        }
        if (parts.stream().anyMatch(PrintWriter::checkError)) {
            throw new IOException("cannot write rows to " + folder);
        }
    }

    private static String line(String label, IntStream indices) {
        StringBuilder line = new StringBuilder(label);
        indices.forEach(index -> line.append(' ').append(index));
        return line.toString();
    }

    /** Returns the ascending indices of a row of a click log. */
    static IntStream clicks(String line, int bits) {
        String[] cells = line.split(",", -1);
        return IntStream.range(1, cells.length)
                .map(field -> index(field, cells[field], bits))
                .sorted()
                .distinct();
    }

    private static int index(int field, String cell, int bits) {
        long value = -1;
        if (!cell.isEmpty() && field <= ClickLog.numeric().size()) {
            double logarithm = Math.log1p(Integer.parseInt(cell));
            value = (long) (logarithm * logarithm);
        } else if (!cell.isEmpty()) {
            value = Integer.parseInt(cell, 16);
        }
        return (int) (KeyHash.mix64(((long) field << 40) + value + 1) >>> (Long.SIZE - bits));
    }

    private static String libsvm(String line) {
        String[] parts = line.strip().split("[ :]+");
        return line(
                Double.parseDouble(parts[0]) > 0 ? "1" : "0",
                IntStream.rangeClosed(0, parts.length / 2)
                        .map(at -> at == 0 ? 0 : Integer.parseInt(parts[2 * at - 1]))
                        .sorted()
                        .distinct());
    }
}
