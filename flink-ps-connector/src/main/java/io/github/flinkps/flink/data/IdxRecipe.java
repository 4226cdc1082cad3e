package io.github.flinkps.flink.data;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import org.apache.flink.api.connector.source.Source;

/**
 * Rows of IDX files, such as MNIST's: pairs of a file of rows and one of labels. A value other than
 * 0 is an entry under its position in the row, from 0; unsigned bytes are divided by 255.
 *
 * @param features values of a row
 * @param labelValues the numbers that mean label 0, 1, ..; empty where labels mean themselves
 */
public record IdxRecipe(int features, List<List<String>> labelValues) implements FileRecipe {
    private static final long serialVersionUID = 1L;

    public IdxRecipe {
        labelValues = labelValues.stream().map(List::copyOf).toList();
    }

    /**
     * Returns the recipe for files whose labels mean themselves.
     *
     * @param labelled whether there must be labels
     * @throws InputException for files that are not of the format, or do not fit each other
     */
    public static IdxRecipe of(List<String> paths, boolean labelled) throws InputException {
        return new IdxRecipe(IdxFile.pairs(paths, labelled).get(0).rows().itemValues(), List.of());
    }

    /** Returns a copy with other texts of labels. */
    public IdxRecipe withLabelValues(List<List<String>> texts) {
        return new IdxRecipe(features, texts);
    }

    @Override
    public List<List<String>> labelNames() {
        return labelValues;
    }

    @Override
    @JsonIgnore
    public String format() {
        return "idx";
    }

    @Override
    public Source<RowBatch, ?, ?> source(
            List<String> paths,
            RowSelection selection,
            OnBadRow onBadRow,
            Labels labels,
            long most) {
        return new IdxSource(paths, features, selection, labels.named(labelValues));
    }
}
