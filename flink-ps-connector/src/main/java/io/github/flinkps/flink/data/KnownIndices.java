package io.github.flinkps.flink.data;

import java.util.List;
import java.util.Map;

/** Checks whether rows of libsvm are those of a model that has scales for indices. */
public final class KnownIndices {
    private final Map<Long, NumericScale> scales;
    private long rows;
    private boolean any;
    private boolean known;

    private KnownIndices(Map<Long, NumericScale> scales) {
        this.scales = scales;
    }

    /**
     * Reads rows until one has an index that the recipe names: usually the first. Bad rows are
     * passed over, and so is a recipe that names no index.
     *
     * @throws InputException if there are indices but none that is known, or for an input that
     *     cannot be read
     */
    public static void check(List<String> paths, LibsvmRecipe recipe) throws InputException {
        if (recipe.scales().isEmpty()) {
            return;
        }
        KnownIndices indices = new KnownIndices(recipe.scales());
        RowPreview.scan(paths, LibsvmFormat.of(Labels.REAL), indices::isLookedFor);
        if (indices.any && !indices.known) {
            throw new InputException(
                    "none of the "
                            + indices.rows
                            + " rows has a feature that the model knows: it was trained on other"
                            + " indices");
        }
    }

    private boolean isLookedFor(RowBatch batch) {
        for (long key : batch.keys()) {
            known |= scales.containsKey(key);
        }
        any |= batch.keys().length > 0;
        rows += batch.rows();
        return !known;
    }
}
