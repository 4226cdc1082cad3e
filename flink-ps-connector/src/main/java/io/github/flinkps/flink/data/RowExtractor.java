package io.github.flinkps.flink.data;

import java.io.Serializable;

/**
 * Turns a user's records into training rows. Runs on the task's thread.
 *
 * @param <T> the user's type
 */
@FunctionalInterface
public interface RowExtractor<T> extends Serializable {
    /**
     * Adds the rows of one record, usually one, to {@code out}: entries first, then {@link
     * RowBatchBuilder#endRow}.
     *
     * @throws Exception if the record cannot be read; fails the job or skips the record, as
     *     configured
     */
    void extract(T row, RowBatchBuilder out) throws Exception;
}
