package io.github.flinkps.flink.data;

import java.util.List;
import org.apache.flink.api.connector.source.Source;

/** A recipe for the rows of files. */
public sealed interface FileRecipe extends RowRecipe permits TextRecipe, IdxRecipe {
    /**
     * Returns a source that reads files.
     *
     * @param paths files and folders
     * @param selection of their rows
     * @param onBadRow what to do with rows that cannot be read
     * @param labels of the model
     * @param features the model's, where their indices must be below their number
     */
    Source<RowBatch, ?, ?> source(
            List<String> paths,
            RowSelection selection,
            OnBadRow onBadRow,
            Labels labels,
            long features);
}
