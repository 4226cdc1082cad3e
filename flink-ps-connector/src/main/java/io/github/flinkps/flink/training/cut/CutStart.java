package io.github.flinkps.flink.training.cut;

import java.io.IOException;

/**
 * The start of an attempt, of which the servers are told before anything is trained.
 *
 * @param directory of the model, below which its cuts go
 * @param manifest of the cut to go on from; empty: the model stays as it is
 * @param checksum of the manifest
 */
public record CutStart(String directory, String manifest, int checksum) {
    /**
     * @param restored null for none
     */
    public static CutStart of(String directory, CutRef restored) throws IOException {
        return restored == null
                ? new CutStart(directory, "", 0)
                : new CutStart(directory, restored.manifest().path(), restored.manifest().crc32c());
    }
}
