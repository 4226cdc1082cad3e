package io.github.flinkps.examples.cluster;

import io.github.flinkps.testing.ModelValues;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Rows of eight fields, few of whose values are frequent, and labels drawn from a known logistic
 * model; the same at every call, and fast to write by the million.
 */
final class WideRows {
    private static final int FIELDS = 8;
    private static final int SEED = 20;

    private final int values;
    private final SplittableRandom random = new SplittableRandom(SEED);
    private final int[] indices = new int[FIELDS];
    private double probability;
    private double entropy;
    private long drawn;

    /**
     * @param values of a field
     */
    WideRows(int values) {
        this.values = values;
    }

    /** Draws a row into {@link #indices}; whether it is positive. */
    private boolean next() {
        double z = 0;
        for (int field = 0; field < FIELDS; field++) {
            double u = random.nextDouble();
            int index = field * values + (int) (values * u * u * u * u);
            indices[field] = index;
            z += weight(index);
        }
        probability = 1 / (1 + Math.exp(-z));
        return random.nextDouble() < probability;
    }

    /** Spread evenly between -.7 and .7. */
    private static double weight(int index) {
        return ((index * 2_654_435_761L >>> 7) % 1000 - 500) / 714.0;
    }

    Path write(Path file, int rows) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.ISO_8859_1)) {
            StringBuilder line = new StringBuilder();
            for (int row = 0; row < rows; row++) {
                line.setLength(0);
                line.append(next() ? '1' : '0');
                for (int index : indices) {
                    line.append(' ').append(index).append(":1");
                }
                out.append(line.append('\n'));
            }
        }
        return file;
    }

    /** The mean loss of a model on so many rows that come after those written. */
    double logloss(ModelValues model, int rows) {
        Map<Long, Float> weights = model.table("weights");
        double loss = 0;
        for (int row = 0; row < rows; row++) {
            boolean positive = next();
            double z = model.get("bias", 0);
            for (int index : indices) {
                z += weights.getOrDefault((long) index, 0f);
            }
            loss += Math.log1p(Math.exp(positive ? -z : z));
            entropy -= positive ? Math.log(probability) : Math.log1p(-probability);
        }
        drawn += rows;
        return loss / rows;
    }

    /** The loss of the model that drew them, on the rows of {@link #logloss}. */
    double leastLogloss() {
        return entropy / drawn;
    }
}
