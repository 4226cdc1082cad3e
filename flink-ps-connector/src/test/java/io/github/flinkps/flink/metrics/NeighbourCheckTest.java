package io.github.flinkps.flink.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class NeighbourCheckTest {
    private static final int WORDS = 200;
    private static final int GROUPS = 4;

    /** Sentences of words of one group each, by Zipf's law; a word's group is its number mod 4. */
    private static NeighbourCheck text(Random random) {
        NeighbourCheck check = new NeighbourCheck(100, WORDS, 5);
        for (int sentence = 0; sentence < 4000; sentence++) {
            int group = random.nextInt(GROUPS);
            long[] words = new long[20];
            for (int i = 0; i < words.length; i++) {
                int place = (int) Math.pow(WORDS / GROUPS, random.nextDouble()) - 1;
                words[i] = (long) place * GROUPS + group;
            }
            check.add(words, 0, words.length);
        }
        return check;
    }

    private static WordVectors vectors(Random random, double signal) {
        int width = 8;
        float[] values = new float[WORDS * width];
        for (int i = 0; i < values.length; i++) {
            int group = i / width % GROUPS;
            values[i] = (float) (random.nextGaussian() + (i % width == group ? signal : 0));
        }
        return new WordVectors(values, width);
    }

    @Test
    void vectorsThatMeanSomethingBeatChance() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        NeighbourCheck.Result result = text(random).check(vectors(random, 10), 10);
        assertThat(result.words()).as("seed %d", seed).isEqualTo(100);
        assertThat(result.multiple()).as("seed %d", seed).isGreaterThan(3);
        assertThat(result.wordsAhead()).as("seed %d", seed).isGreaterThan(.95);
    }

    @Test
    void vectorsThatMeanNothingDoNot() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        NeighbourCheck check = text(random);
        double sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += check.check(vectors(random, 0), 10).multiple();
        }
        // Over 2,000 seeds: .83 to 1.11, standard deviation .05. A single one of the ten may reach
        // 1.6.
        assertThat(sum / 10).as("seed %d", seed).isBetween(.7, 1.25);
    }

    @Test
    void nearestAreInOrder() {
        WordVectors vectors = new WordVectors(new float[] {1, 0, 0, 3, 2, 2, -1, 0, 5, 1, 0, 0}, 2);
        assertThat(vectors.words()).isEqualTo(6);
        assertThat(vectors.cosine(0, 2)).isCloseTo(Math.sqrt(.5), within(1e-6));
        assertThat(vectors.nearest(0, 2, 10)).containsExactly(4, 2);
        assertThat(vectors.nearest(0, 10, 10)).containsExactly(4, 2, 1, 5, 3);
        assertThat(vectors.nearest(0, 10, 3)).containsExactly(2, 1);
    }
}
