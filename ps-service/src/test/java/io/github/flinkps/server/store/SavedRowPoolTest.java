package io.github.flinkps.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SavedRowPoolTest {
    private static final int ROWS = 100_000;

    private SavedRowPool pool;
    private int stride;

    /** A list of rows; their floats are {@code first}, {@code first + 1} and so on. */
    private int[] save(int count, int first) {
        int[] positions = new int[count];
        float[] row = new float[stride + 1];
        for (int i = 0; i < count; i++) {
            row[stride] = first + i;
            row[1] = first + i;
            positions[i] =
                    pool.save(i & 0xffff, i == 0 ? -1 : positions[i - 1], row, 1, first + i + 1);
        }
        return positions;
    }

    private void check(int[] list, int first, boolean withSteps) {
        float[] last = new float[1];
        for (int i = 0; i < list.length; i++) {
            pool.read(list[i], stride - 1, 1, last, 0);
            assertThat(last[0]).isEqualTo(first + i);
            assertThat(pool.name(list[i])).isEqualTo(i & 0xffff);
            assertThat(pool.previous(list[i])).isEqualTo(i == 0 ? -1 : list[i - 1]);
            if (withSteps) {
                assertThat(pool.step(list[i])).isEqualTo(first + i + 1);
            }
        }
    }

    private void give(int[] list, int blocks) {
        pool.give(pool.block(list[list.length - 1]), pool.block(list[0]), blocks);
    }

    @ParameterizedTest
    @CsvSource({"1,false", "3,true", "32,false"})
    void whatIsGivenBackIsTakenAgain(int floats, boolean withSteps) {
        stride = floats;
        pool = new SavedRowPool(floats, withSteps, float[]::new);
        int[] one = save(ROWS, 0);
        int[] two = save(ROWS, 1_000_000);
        check(one, 0, withSteps);
        int blocks = pool.taken() / 2;
        give(one, blocks);
        assertThat(pool.taken()).isEqualTo(blocks);
        int[] three = save(ROWS + 10, 2_000_000);
        assertThat(three[ROWS - 1]).isLessThan(ROWS);
        assertThat(three[ROWS]).isEqualTo(2 * ROWS);
        check(two, 1_000_000, withSteps);
        check(three, 2_000_000, withSteps);
        int ofThree = pool.taken() - blocks;
        give(two, blocks);
        give(three, ofThree);
        assertThat(pool.taken()).isZero();
        assertThat(save(1, 0)[0]).isZero();
    }

    /** Four, two and one of them to a block, and one to an array. */
    @ParameterizedTest
    @CsvSource({"600,false,4", "1500,true,2", "4096,false,1", "5000,true,1", "200000,true,1"})
    void wideRowsHaveRoomToo(int floats, boolean withSteps, int toABlock) {
        stride = floats;
        pool = new SavedRowPool(floats, withSteps, float[]::new);
        int rows = Math.min(4000, 20_000_000 / floats) / 4 * 4;
        int[] one = save(rows, 5);
        int[] two = save(rows, 1_000_000);
        check(one, 5, withSteps);
        check(two, 1_000_000, withSteps);
        assertThat(pool.bytesPerBlock())
                .isEqualTo((4 * floats + 2 + (withSteps ? 4 : 0)) * toABlock + 4);
        assertThat(pool.taken()).isEqualTo(2 * rows / toABlock);
        give(one, rows / toABlock);
        int[] three = save(rows, 2_000_000);
        check(two, 1_000_000, withSteps);
        check(three, 2_000_000, withSteps);
        assertThat(three[rows - 1]).isLessThan(rows);
    }
}
