package io.github.flinkps.model;

import io.github.flinkps.common.TableSpec;
import java.util.List;

/**
 * A table of a stored model.
 *
 * @param spec its definition
 * @param slots columns of slots in its files; 0 if they were not saved or its update function has
 *     none
 * @param files one per partition, in order
 */
public record ModelTable(TableSpec spec, int slots, List<ModelFile> files) {
    public ModelTable {
        files = List.copyOf(files);
    }

    public long rows() {
        return files.stream().mapToLong(ModelFile::rows).sum();
    }

    /** Returns the number of values: rows times width. */
    public long values() {
        return rows() * spec.width();
    }
}
