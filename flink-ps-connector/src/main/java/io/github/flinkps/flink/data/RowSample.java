package io.github.flinkps.flink.data;

import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import org.apache.flink.api.connector.source.Source;

/**
 * Rows drawn at random from an input, each as likely as another.
 *
 * @param rows in the order of the input
 * @param count rows that the input has
 */
public record RowSample(RowBatch rows, long count) {
    /**
     * Reads an input to its end and draws rows by Vitter's reservoir (Random sampling with a
     * reservoir, 1985); all where it has no more. The rows that are drawn depend on the input and
     * the seed alone. Blocks the calling thread.
     *
     * @param source one that a {@link RowRecipe} makes
     * @param most rows to draw
     * @throws InputException for an input that cannot be read
     */
    public static RowSample of(Source<RowBatch, ?, ?> source, int most, long seed)
            throws InputException {
        Reservoir reservoir = new Reservoir(most, seed);
        RowPreview.scan(
                source,
                batch -> {
                    for (int row = 0; row < batch.rows(); row++) {
                        reservoir.see(batch, row);
                    }
                    return true;
                });
        return new RowSample(reservoir.rows(), reservoir.count);
    }

    /** The rows drawn so far. */
    private static final class Reservoir {
        private final SplittableRandom random;
        private final RowBatch[] drawn;
        private final long[] positions;
        private long count;

        Reservoir(int most, long seed) {
            random = new SplittableRandom(seed);
            drawn = new RowBatch[most];
            positions = new long[most];
        }

        void see(RowBatch batch, int row) {
            long place = count < drawn.length ? count : random.nextLong(count + 1);
            if (place < drawn.length) {
                drawn[(int) place] = new RowBatchBuilder().append(batch, row, row + 1).build();
                positions[(int) place] = count;
            }
            count++;
        }

        RowBatch rows() {
            int size = (int) Math.min(count, drawn.length);
            Integer[] order = new Integer[size];
            Arrays.setAll(order, i -> i);
            Arrays.sort(order, Comparator.comparingLong(i -> positions[i]));
            RowBatchBuilder rows = new RowBatchBuilder();
            for (int at : order) {
                rows.append(drawn[at], 0, 1);
            }
            return rows.build();
        }
    }
}
