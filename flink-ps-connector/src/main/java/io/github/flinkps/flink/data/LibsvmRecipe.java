package io.github.flinkps.flink.data;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Rows of libsvm whose values are scaled by their index. An absent index stays absent, but for one
 * with a center of {@link NumericTransform#AUTO}. One that no row had that trained is not named
 * here: it stays as it is, but where indices become buckets it is left out, as its number would be
 * another feature's key.
 *
 * @param transform the kind, for people
 * @param scales by index
 * @param hashBits of the keys of buckets
 * @param labelValues the texts that mean label 0, 1, ..; empty where labels mean themselves
 */
public record LibsvmRecipe(
        NumericTransform transform,
        Map<Long, NumericScale> scales,
        int hashBits,
        List<List<String>> labelValues)
        implements TextRecipe {
    /** Rows as they are. */
    public static final LibsvmRecipe PLAIN =
            new LibsvmRecipe(NumericTransform.NONE, Map.of(), 64, List.of());

    /** Values by their logarithm. */
    public static final LibsvmRecipe LOGARITHMS =
            new LibsvmRecipe(NumericTransform.LOG, Map.of(), 64, List.of());

    private static final long serialVersionUID = 1L;

    public LibsvmRecipe {
        scales = new TreeMap<>(scales);
        labelValues = labelValues.stream().map(List::copyOf).toList();
    }

    /** Returns a copy with other texts of labels. */
    public LibsvmRecipe withLabelValues(List<List<String>> texts) {
        return new LibsvmRecipe(transform, scales, hashBits, texts);
    }

    /** Returns the recipe of the same rows with the indices that they have in the file. */
    public LibsvmRecipe ofWrittenIndices() {
        return transform == NumericTransform.AUTO ? PLAIN.withLabelValues(labelValues) : this;
    }

    @Override
    @JsonIgnore
    public String format() {
        return "libsvm";
    }

    @Override
    public List<List<String>> labelNames() {
        return labelValues;
    }

    @Override
    public RowFormat rowFormat(Labels labels, long features) {
        LibsvmFormat format = LibsvmFormat.of(labels.named(labelValues));
        LibsvmFormat limited =
                features == LibsvmFormat.ANY_INDEX ? format : format.withFeatures(features);
        return transform == NumericTransform.NONE ? limited : new ScaledFormat(limited, this);
    }
}
