package io.github.flinkps.examples.cluster;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** Rows of libsvm from a known logistic model. */
final class TestingRows {
    private static final int ROWS = 6_000;
    private static final int FEATURES = 500;
    private static final int PER_ROW = 15;

    /** Lies between two indices, so that those of four bytes are hardly met by chance. */
    private static final int STEP = 4_000_037;

    private TestingRows() {}

    /** Writes rows for several blocks of text per worker. */
    static Path write(Path file) throws IOException {
        Random random = new Random(20);
        double[] weights = random.doubles(FEATURES, -2, 2).toArray();
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (int row = 0; row < ROWS; row++) {
                int[] indices =
                        random.ints(0, FEATURES).distinct().limit(PER_ROW).sorted().toArray();
                double z = 0;
                StringBuilder entries = new StringBuilder();
                for (int index : indices) {
                    z += weights[index];
                    entries.append(' ').append(index * STEP + 1).append(":1");
                }
                boolean label = random.nextDouble() < 1 / (1 + Math.exp(-z));
                out.append(label ? '1' : '0').append(entries).append('\n');
            }
        }
        return file;
    }
}
