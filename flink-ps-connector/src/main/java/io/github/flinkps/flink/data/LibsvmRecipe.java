package io.github.flinkps.flink.data;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Map;
import java.util.TreeMap;

/**
 * Rows of libsvm whose values are scaled by their index. An absent index stays absent. One that no
 * row had that trained is not named here: it stays as it is, but where indices become buckets it is
 * left out, as its number would be another feature's key.
 *
 * @param transform the kind, for people
 * @param scales by index
 * @param hashBits of the keys of buckets
 */
public record LibsvmRecipe(NumericTransform transform, Map<Long, NumericScale> scales, int hashBits)
        implements TextRecipe {
    /** Rows as they are. */
    public static final LibsvmRecipe PLAIN = new LibsvmRecipe(NumericTransform.NONE, Map.of(), 64);

    /** Values by their logarithm. */
    public static final LibsvmRecipe LOGARITHMS =
            new LibsvmRecipe(NumericTransform.LOG, Map.of(), 64);

    private static final long serialVersionUID = 1L;

    public LibsvmRecipe {
        scales = new TreeMap<>(scales);
    }

    @Override
    @JsonIgnore
    public String format() {
        return "libsvm";
    }

    @Override
    public RowFormat rowFormat(Labels labels, long features) {
        LibsvmFormat format = LibsvmFormat.of(labels);
        LibsvmFormat limited =
                features == LibsvmFormat.ANY_INDEX ? format : format.withFeatures(features);
        return transform == NumericTransform.NONE ? limited : new ScaledFormat(limited, this);
    }
}
