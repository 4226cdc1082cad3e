package io.github.flinkps.flink.table.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.flinkps.flink.data.NumericScale;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class RowShareTest {
    private static final int MOST = 20;

    private static void see(RowShare share, long lot, double number) {
        share.addRow();
        share.number(0, number);
        if (share.draws(lot)) {
            share.draw(lot, Double.toString(number).getBytes(StandardCharsets.UTF_8));
        }
    }

    private static RowShare merged(List<RowShare> shares) {
        RowShare all = new RowShare(1, MOST);
        shares.forEach(share -> all.merge(share.toBytes()));
        return all;
    }

    /** However rows are split into shares, they are what one share would be. */
    @RepeatedTest(20)
    void sharesSayWhatOneWould() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        RowShare one = new RowShare(1, MOST);
        List<RowShare> shares = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(5); i++) {
            shares.add(new RowShare(1, MOST));
        }
        int rows = random.nextInt(200);
        for (int i = 0; i < rows; i++) {
            long lot = random.nextLong();
            double number = 1e6 + random.nextGaussian();
            see(one, lot, number);
            see(shares.get(random.nextInt(shares.size())), lot, number);
        }
        RowShare all = merged(shares);
        assertThat(all.rows()).as("seed %d", seed).isEqualTo(rows);
        assertThat(all.drawn()).as("seed %d", seed).containsExactlyElementsOf(one.drawn());
        assertThat(all.drawn()).hasSize(Math.min(MOST, rows));
        NumericScale expected = one.scale(0);
        NumericScale scale = all.scale(0);
        assertThat(scale.center()).as("seed %d", seed).isCloseTo(expected.center(), within(1e-6));
        assertThat(scale.factor() / expected.factor())
                .as("seed %d", seed)
                .isCloseTo(1, within(1e-6));
    }

    /** Every row is as likely to be drawn as another. */
    @Test
    void drawsEvenly() {
        Random random = new Random(7);
        int[] times = new int[100];
        for (int run = 0; run < 2000; run++) {
            RowShare share = new RowShare(1, 10);
            for (int i = 0; i < times.length; i++) {
                see(share, random.nextLong(), i);
            }
            for (byte[] row : share.drawn()) {
                times[(int) Double.parseDouble(new String(row, StandardCharsets.UTF_8))]++;
            }
        }
        for (int drawn : times) {
            assertThat(drawn).isBetween(200 - 70, 200 + 70);
        }
    }
}
