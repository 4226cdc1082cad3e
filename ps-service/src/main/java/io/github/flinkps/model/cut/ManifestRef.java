package io.github.flinkps.model.cut;

import java.io.Serializable;

/**
 * A manifest that must not change: what a checkpoint keeps of its cut.
 *
 * @param path of the manifest in the storage
 * @param crc32c of its bytes
 */
public record ManifestRef(String path, int crc32c) implements Serializable {}
