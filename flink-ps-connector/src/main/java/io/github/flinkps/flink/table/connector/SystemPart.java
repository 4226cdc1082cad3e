package io.github.flinkps.flink.table.connector;

import java.io.Serializable;
import java.util.function.Consumer;
import org.apache.flink.table.data.RowData;

/** A part of a {@link SystemTable} that one thread reads. */
@FunctionalInterface
interface SystemPart extends Serializable {
    /**
     * Hands out its rows, as they are now. Blocks on storage.
     *
     * @throws RuntimeException naming the file that is damaged or cannot be read
     */
    void read(Consumer<RowData> out);
}
