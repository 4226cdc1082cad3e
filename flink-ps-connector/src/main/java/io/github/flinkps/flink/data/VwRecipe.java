package io.github.flinkps.flink.data;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;

/**
 * Rows of {@link VwFormat}.
 *
 * @param hashBits of the keys
 * @param labelValues the texts that mean label 0, 1, ..; empty where labels mean themselves
 */
public record VwRecipe(int hashBits, List<List<String>> labelValues) implements TextRecipe {
    private static final long serialVersionUID = 1L;

    public VwRecipe {
        labelValues = labelValues.stream().map(List::copyOf).toList();
    }

    @Override
    @JsonIgnore
    public String format() {
        return VwFormat.NAME;
    }

    @Override
    public List<List<String>> labelNames() {
        return labelValues;
    }

    @Override
    public RowFormat rowFormat(Labels labels, long features) {
        return new VwFormat(labels.named(labelValues), hashBits);
    }
}
