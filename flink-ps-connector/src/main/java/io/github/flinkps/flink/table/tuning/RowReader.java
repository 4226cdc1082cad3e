package io.github.flinkps.flink.table.tuning;

import io.github.flinkps.flink.data.RowExtractor;
import io.github.flinkps.flink.table.ModelSpec;
import java.io.Serializable;

/**
 * Reads the records of which options are found.
 *
 * @param <T> the records
 */
public interface RowReader<T> extends Serializable {
    /** Returns how records become rows of a model, for one thread at a time. */
    RowExtractor<T> extractor(ModelSpec spec);

    /** Returns the value of a column by its place in the model's definition; null for NULL. */
    Object value(T record, int place);
}
