package io.github.flinkps.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.zip.GZIPOutputStream;

/** Small libsvm files: feature 0 makes a row's label likely 1, feature 1 likely 0. */
final class TestingRows {
    /** The number of rows that suffices to learn the two features. */
    static final int ROWS = 600;

    private TestingRows() {}

    static String text(int rows, long seed) {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < rows; i++) {
            boolean positive = random.nextBoolean();
            int feature = random.nextDouble() < 0.95 == positive ? 0 : 1;
            text.append(positive ? "+1 " : "-1 ")
                    .append(feature)
                    .append(":1 ")
                    .append(2 + random.nextInt(50))
                    .append(":0.5\n");
        }
        return text.toString();
    }

    /** A new file of so many rows; gzip if its name says so. */
    static Path write(Path file, int rows, long seed) throws IOException {
        byte[] bytes = text(rows, seed).getBytes(StandardCharsets.UTF_8);
        if (!file.toString().endsWith(".gz")) {
            return Files.write(file, bytes);
        }
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(bytes);
        }
        return file;
    }
}
