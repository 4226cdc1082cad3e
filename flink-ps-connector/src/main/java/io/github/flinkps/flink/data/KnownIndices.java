package io.github.flinkps.flink.data;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Whether rows of libsvm are those of a model that has scales for indices. */
public final class KnownIndices {
    private KnownIndices() {}

    /**
     * Reads rows until one has an index that the recipe names: usually the first. Bad rows are
     * passed over, and so is a recipe that names no index.
     *
     * @throws InputException if there are indices but none that is known, or for an input that
     *     cannot be read
     */
    public static void check(List<String> paths, LibsvmRecipe recipe) throws InputException {
        Map<Long, NumericScale> scales = recipe.scales();
        if (scales.isEmpty()) {
            return;
        }
        TextSource plan = TextSource.of(paths, LibsvmFormat.of(Labels.REAL)).build();
        long rows = 0;
        boolean any = false;
        for (BlockSplit split : plan.plan(1).get(0)) {
            try (BlockReader reader =
                    new TextBlockReader(split, new Lenient(), RowSelection.all(), OnBadRow.FAIL)) {
                for (PositionedBatch next = reader.next(); next != null; next = reader.next()) {
                    long[] keys = next.batch().keys();
                    for (long key : keys) {
                        if (scales.containsKey(key)) {
                            return;
                        }
                    }
                    any |= keys.length > 0;
                    rows += next.batch().rows();
                }
            } catch (InputException e) {
                throw e;
            } catch (IOException e) {
                throw new InputException(String.valueOf(e.getMessage()), e);
            }
        }
        if (any) {
            throw new InputException(
                    "none of the "
                            + rows
                            + " rows has a feature that the model knows: it was trained on other"
                            + " indices");
        }
    }

    /** Leaves out bad rows in silence: whoever works on the rows will tell. */
    private record Lenient() implements RowFormat {
        private static final long serialVersionUID = 1L;

        @Override
        public String name() {
            return "libsvm";
        }

        @Override
        public RowParser newParser() {
            RowParser parser = LibsvmFormat.of(Labels.REAL).newParser();
            return (buffer, from, to, out) -> {
                try {
                    parser.parse(buffer, from, to, out);
                } catch (RowProblem e) {
                    out.abandonRow();
                }
            };
        }
    }
}
