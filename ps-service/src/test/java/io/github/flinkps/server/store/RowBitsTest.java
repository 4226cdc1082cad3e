package io.github.flinkps.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.testing.Seeds;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RowBitsTest {
    private SplittableRandom random;
    private int rows;
    private RowBits bits;
    private BitSet reference;

    /**
     * Compares with a set after changes of all kinds, while the room grows by little and by much.
     */
    @Test
    void isASet() {
        Seeds.forEach("sets of rows", 20, this::isASet);
    }

    private void isASet(long seed) {
        random = new SplittableRandom(seed);
        rows = 1 + random.nextInt(1 << 1 + random.nextInt(20));
        bits = new RowBits(rows);
        reference = new BitSet();
        for (int step = 0; step < 2_000; step++) {
            change();
        }
        check();
    }

    private void change() {
        int row = random.nextInt(rows);
        switch (random.nextInt(9)) {
            case 0 -> {
                int end = Math.min(rows, row + random.nextInt(1 << random.nextInt(21)));
                bits.setRange(row, end);
                reference.set(row, Math.max(row, end));
            }
            case 1 -> {
                bits.set(new int[] {-1, row, rows - 1}, 1, 3);
                reference.set(row);
                reference.set(rows - 1);
            }
            case 2 -> {
                rows += 1 + random.nextInt(1 << random.nextInt(12));
                bits.grow(rows);
            }
            case 3 -> {
                if (random.nextInt(20) == 0) {
                    RowBits later = new RowBits(rows);
                    later.add(row);
                    reference.set(row);
                    later.take(bits);
                    bits = later;
                }
            }
            case 4 -> {
                if (bits.add(row)) {
                    bits.remove(row);
                }
                assertThat(bits.contains(row)).isEqualTo(reference.get(row));
            }
            default -> {
                assertThat(bits.add(row)).isEqualTo(!reference.get(row));
                reference.set(row);
            }
        }
    }

    private void check() {
        for (int word = 0; word < (rows >>> 6) + 100; word++) {
            long[] expected = reference.get(word << 6, (word + 1) << 6).toLongArray();
            assertThat(bits.word(word)).isEqualTo(expected.length == 0 ? 0 : expected[0]);
            assertThat(bits.hasChunkOf(word) || expected.length == 0).isTrue();
        }
        for (int row = 0; row < rows; row += 1 + random.nextInt(100)) {
            assertThat(bits.contains(row)).isEqualTo(reference.get(row));
        }
    }

    @Test
    void fewRowsTakeLittle() {
        RowBits few = new RowBits(100);
        few.add(99);
        assertThat(few.bytes()).isLessThan(64);
        RowBits many = new RowBits(1 << 30);
        many.add(1 << 29);
        assertThat(many.bytes()).isLessThan(80_000);
    }
}
