package io.github.flinkps.model;

import java.time.Instant;
import java.util.Map;
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
 * @param facts about the training at that time
 */
public record CutSummary(
        CutId id,
        ManifestRef ref,
        Instant time,
        long rows,
        long bytes,
        Optional<CutBase> base,
        Map<String, String> facts) {
    static CutSummary of(CutManifests.Found found) {
        CutManifest manifest = found.manifest();
        return new CutSummary(
                manifest.header().id(),
                found.ref(),
                manifest.header().time(),
                manifest.rows(),
                manifest.bytes(),
                manifest.header().base(),
                manifest.facts());
    }
}
