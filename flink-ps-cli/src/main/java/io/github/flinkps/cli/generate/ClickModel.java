package io.github.flinkps.cli.generate;

import io.github.flinkps.common.KeyHash;
import java.util.SplittableRandom;

/**
 * Clicks of a known model: 13 numbers and 26 categories with the cardinalities of Criteo's display
 * advertising data and Zipf frequencies. The log-odds of a click are a sum. It has a weight per
 * category (0 for two of three) and a slope per number. If asked for, it has products of hidden
 * factors of all pairs of eight fields of few values. On top comes noise that no feature tells. A
 * row is a pure function of seed and number.
 */
final class ClickModel {
    static final int NUMBERS = 13;

    /** Values of the categorical fields of Criteo's display advertising challenge (2014). */
    static final int[] CARDINALITIES = {
        1460, 583, 10131227, 2202608, 305, 24, 12517, 633, 3, 93145, 5683, 8351593, 3194, 27, 14992,
        5461306, 10, 5652, 2173, 4, 7046547, 18, 15, 286181, 105, 142572
    };

    private static final int CATEGORIES = CARDINALITIES.length;
    private static final double ZIPF = 1.15;
    private static final double BIAS = -1.25;
    private static final double NOISE = 0.7;
    private static final int FACTORS = 4;

    /**
     * Fields whose factors meet, each with every other: those of few values, so that most pairs of
     * values are seen often enough to be learned.
     */
    private static final int[] MEETING = {1, 4, 5, 13, 16, 21, 22, 24};

    /** Standard deviation of what a pair adds to the log-odds. */
    private static final double MEETING_SIZE = 0.2;

    /** Nodes and weights of the Gauss-Hermite rule of order 9, for the mean over the noise. */
    private static final double[] NODES = {
        0, 0.7235510187528376, 1.468553289216668, 2.266580584531843, 3.190993201781528
    };

    private static final double[] WEIGHTS = {
        0.7202352156060510,
        0.4326515590025558,
        0.08847452739437657,
        0.004943624275536947,
        3.960697726326438e-5
    };

    private final long seed;
    private final boolean interactions;

    /** The row made last: numbers, -1 where missing. */
    final int[] numbers = new int[NUMBERS];

    /** The row made last: categories from 0, -1 where missing. */
    final int[] categories = new int[CATEGORIES];

    private double logOdds;
    private boolean clicked;

    ClickModel(long seed, boolean interactions) {
        this.seed = KeyHash.mix64(seed + 0x9E3779B97F4A7C15L);
        this.interactions = interactions;
    }

    /** Makes a row. */
    void make(long row) {
        SplittableRandom random = new SplittableRandom(KeyHash.mix64(seed + row));
        double sum = BIAS;
        for (int i = 0; i < NUMBERS; i++) {
            boolean missing = random.nextDouble() < missingShare(i);
            double size = gaussian(random);
            numbers[i] = missing ? -1 : (int) Math.expm1(Math.abs(1.2 * size) * (1 + i % 4));
            if (!missing) {
                sum += slope(i) * (Math.log1p(numbers[i]) / (1 + i % 4) - 0.9);
            }
        }
        for (int i = 0; i < CATEGORIES; i++) {
            boolean missing = random.nextDouble() < missingShare(NUMBERS + i);
            int value = zipf(random.nextDouble(), CARDINALITIES[i]);
            categories[i] = missing ? -1 : value;
            sum += weight(i, categories[i]);
        }
        if (interactions) {
            sum += products();
        }
        logOdds = sum;
        clicked = random.nextDouble() < sigmoid(sum + NOISE * gaussian(random));
    }

    boolean clicked() {
        return clicked;
    }

    /** Returns the probability of a click as far as features tell: the mean over the noise. */
    double probability() {
        double mean = 0;
        for (int i = 0; i < NODES.length; i++) {
            double away = Math.sqrt(2) * NOISE * NODES[i];
            double both = sigmoid(logOdds + away) + (i == 0 ? 0 : sigmoid(logOdds - away));
            mean += WEIGHTS[i] * both;
        }
        return mean / Math.sqrt(Math.PI);
    }

    private static double sigmoid(double z) {
        return 1 / (1 + Math.exp(-z));
    }

    /** Returns the share of rows without a value of a field; above 0 for a third of them. */
    private static double missingShare(int field) {
        return field % 3 == 2 ? 0.05 * (1 + field % 5) : 0;
    }

    private double slope(int number) {
        return 0.35 * normal(KeyHash.mix64(seed ^ (0x1000 + number)));
    }

    /** Returns what a value adds to the log-odds: 0 for two of three, less in large fields. */
    private double weight(int field, int value) {
        long hash = KeyHash.mix64(seed ^ KeyHash.mix64(((long) field << 40) + value + 2));
        if (Long.remainderUnsigned(hash, 3) != 0) {
            return 0;
        }
        double size = CARDINALITIES[field] > 100_000 ? 0.35 : 0.5;
        return size * normal(KeyHash.mix64(hash));
    }

    /** Returns the sum over the pairs of meeting fields of the products of their factors. */
    private double products() {
        double twice = 0;
        for (int k = 0; k < FACTORS; k++) {
            double sum = 0;
            double squares = 0;
            for (int field : MEETING) {
                double factor = factor(field, k);
                sum += factor;
                squares += factor * factor;
            }
            twice += sum * sum - squares;
        }
        return MEETING_SIZE * twice / 2 / Math.sqrt(FACTORS);
    }

    private double factor(int field, int k) {
        long place = ((long) (field + 100) << 44) + ((long) k << 40) + categories[field] + 2;
        return normal(KeyHash.mix64(seed ^ KeyHash.mix64(place)));
    }

    /** Returns an about normal number of variance 1: a sum of four uniform parts of a hash. */
    static double normal(long hash) {
        double sum = 0;
        for (int i = 0; i < 4; i++) {
            sum += (hash >>> 16 * i & 0xffff) / 65536.0 - 0.5;
        }
        return sum * Math.sqrt(3);
    }

    private static double gaussian(SplittableRandom random) {
        return normal(random.nextLong());
    }

    /**
     * Returns a value of {@code 0..count-1} whose probability falls with {@code (value + 1)^-ZIPF},
     * by the inverse of the continuous distribution.
     */
    static int zipf(double uniform, int count) {
        double power = 1 - ZIPF;
        double last = Math.pow(count + 1.0, power);
        double place = Math.pow(1 + uniform * (last - 1), 1 / power);
        return Math.min(count - 1, (int) place - 1);
    }
}
