package io.github.flinkps.flink.data;

import java.util.List;
import org.apache.flink.api.connector.source.Source;

/** A recipe for rows that are lines of text. */
public sealed interface TextRecipe extends FileRecipe
        permits CsvRecipe, LibsvmRecipe, LibffmRecipe, VwRecipe, WordsRecipe {
    /** Returns the format of the files for a model. */
    RowFormat rowFormat(Labels labels, long features);

    @Override
    default Source<RowBatch, ?, ?> source(
            List<String> paths,
            RowSelection selection,
            OnBadRow onBadRow,
            Labels labels,
            long features) {
        return TextSource.of(paths, rowFormat(labels, features))
                .select(selection)
                .onBadRow(onBadRow)
                .build();
    }
}
