package io.github.flinkps.model;

import io.github.flinkps.common.StepCounts;

/**
 * One file of a model.
 *
 * @param path relative to the model's directory, with {@code /}
 * @param partition whose rows it holds
 * @param rows in it
 * @param steps of the optimizer counted at the partition
 * @param bytes of it
 * @param crc32c of all its bytes
 */
public record ModelFile(
        String path, int partition, long rows, StepCounts steps, long bytes, int crc32c) {
    static ModelFile of(StoredFile file, int partition, StepCounts steps) {
        return new ModelFile(
                file.path(), partition, file.rows(), steps, file.bytes(), file.crc32c());
    }

    StoredFile stored() {
        return new StoredFile(path, rows, bytes, crc32c);
    }
}
