package io.github.flinkps.flink.data;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;

/**
 * Rows of {@link LibffmFormat}.
 *
 * @param fields number of fields; 0 where they do not matter
 * @param labelValues the texts that mean label 0, 1, ..; empty where labels mean themselves
 */
public record LibffmRecipe(int fields, List<List<String>> labelValues) implements TextRecipe {
    private static final long serialVersionUID = 1L;

    public LibffmRecipe {
        labelValues = labelValues.stream().map(List::copyOf).toList();
    }

    @Override
    @JsonIgnore
    public String format() {
        return LibffmFormat.NAME;
    }

    @Override
    public List<List<String>> labelNames() {
        return labelValues;
    }

    @Override
    public RowFormat rowFormat(Labels labels, long features) {
        return new LibffmFormat(labels.named(labelValues), fields);
    }
}
