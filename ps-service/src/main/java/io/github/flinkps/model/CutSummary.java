package io.github.flinkps.model;

import java.time.Instant;
import java.util.Optional;

/**
 * A cut on storage, as a list shows it.
 *
 * @param id of the cut
 * @param ref to its manifest
 * @param time it was taken
 * @param rows of the model at the cut
 * @param bytes of its own files, its bases left out
 * @param base the cut it adds to; empty if it has all rows itself
 * @param complete whether the checkpoint of the cut was reported complete, so that a job removes it
 *     in time; else a savepoint may refer to it
 */
public record CutSummary(
        CutId id,
        ManifestRef ref,
        Instant time,
        long rows,
        long bytes,
        Optional<CutBase> base,
        boolean complete) {
    static CutSummary of(CutManifests.Found found, boolean complete) {
        CutManifest manifest = found.manifest();
        return new CutSummary(
                manifest.header().id(),
                found.ref(),
                manifest.header().time(),
                manifest.rows(),
                manifest.bytes(),
                manifest.header().base(),
                complete);
    }
}
