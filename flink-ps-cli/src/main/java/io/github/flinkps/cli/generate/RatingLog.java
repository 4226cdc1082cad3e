package io.github.flinkps.cli.generate;

import io.github.flinkps.common.KeyHash;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Ratings of a known model: {@value #USERS} users rate {@value #ITEMS} items, a pair drawn evenly
 * for each row. A rating is {@value #MEAN}, plus a bias of the user and one of the item, plus the
 * product of their {@value #FACTORS} hidden factors, plus normal noise of deviation {@value
 * #NOISE}. Rows are {@code rating user:1 item:1}, items numbered from {@value #USERS} on.
 */
public final class RatingLog {
    static final int USERS = 600;
    static final int ITEMS = 400;
    static final int FACTORS = 4;
    static final double MEAN = 3.5;
    static final double NOISE = 0.5;

    private static final double BIAS = 0.3;
    private static final double PRODUCT = 0.6;

    /** The version of the rows, which is raised when those of a seed become others. */
    private static final int VERSION = 1;

    private final long seed;

    private RatingLog(long seed) {
        this.seed = KeyHash.mix64(seed + 0x5851F42D4C957F2DL);
    }

    /**
     * Returns the ratings of a seed; written if they are not there yet. Best is the deviation of
     * the noise of the test rows.
     *
     * @param folder in which rows are kept
     * @param rows training rows; test rows are a tenth as many
     */
    public static GeneratedRows of(Path folder, long rows, long seed) {
        RatingLog log = new RatingLog(seed);
        return GeneratedRows.of(
                folder,
                "ratings-v" + VERSION + "-" + rows + "-" + seed,
                "libsvm",
                (train, test) -> {
                    log.write(train, 0, rows);
                    double noise = log.write(test, rows, rows + Math.max(1, rows / 10));
                    return Map.of("rmse", noise);
                });
    }

    /** Returns the deviation of the noise. */
    private double write(Path file, long from, long to) throws IOException {
        double squares = 0;
        try (GeneratedRows.Lines lines = new GeneratedRows.Lines(file)) {
            StringBuilder line = new StringBuilder();
            for (long row = from; row < to; row++) {
                SplittableRandom random = new SplittableRandom(KeyHash.mix64(seed + row));
                int user = random.nextInt(USERS);
                int item = USERS + random.nextInt(ITEMS);
                double noise = NOISE * ClickModel.normal(random.nextLong());
                squares += noise * noise;
                line.setLength(0);
                line.append(String.format(Locale.ROOT, "%.4f", rating(user, item) + noise));
                line.append(' ').append(user).append(":1 ").append(item).append(":1");
                lines.write(line);
            }
        }
        return Math.sqrt(squares / (to - from));
    }

    private double rating(int user, int item) {
        double product = 0;
        for (int k = 1; k <= FACTORS; k++) {
            product += value(user, k) * value(item, k);
        }
        return MEAN
                + BIAS * (value(user, 0) + value(item, 0))
                + PRODUCT * product / Math.sqrt(FACTORS);
    }

    private double value(int of, int k) {
        return ClickModel.normal(KeyHash.mix64(seed ^ KeyHash.mix64(((long) k << 32) + of + 1)));
    }
}
