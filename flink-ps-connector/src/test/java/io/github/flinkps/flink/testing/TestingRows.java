package io.github.flinkps.flink.testing;

import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import java.util.SplittableRandom;

/** Rows of a known rule: the label is 1 where an even key is among them. */
public final class TestingRows {
    private TestingRows() {}

    /** Batch {@code number} of {@code rows} rows with 4 keys each below {@code keys}. */
    public static RowBatch batch(long number, int rows, int keys) {
        SplittableRandom random = new SplittableRandom(number);
        RowBatchBuilder builder = new RowBatchBuilder();
        for (int row = 0; row < rows; row++) {
            boolean label = random.nextBoolean();
            for (int i = 0; i < 4; i++) {
                builder.add(2L * random.nextInt(keys / 2) + (label ? 0 : 1));
            }
            builder.endRow(label ? 1f : 0f);
        }
        return builder.position(number, 0).build();
    }
}
