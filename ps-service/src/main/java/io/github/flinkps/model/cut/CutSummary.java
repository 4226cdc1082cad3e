package io.github.flinkps.model.cut;

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
 * @param status what became of its checkpoint
 */
public record CutSummary(
        CutId id,
        ManifestRef ref,
        Instant time,
        long rows,
        long bytes,
        Optional<CutBase> base,
        Status status) {
    /** The state of a cut's checkpoint. */
    public enum Status {
        /** Flink has reported the checkpoint complete: the job removes the cut in time. */
        COMPLETE,
        /** The checkpoint was given up: the job removes the cut when a later one is complete. */
        ABORTED,
        /** The state is not known. The cut may be a savepoint's, and stays. */
        UNKNOWN
    }

    /** Returns whether a savepoint may refer to it. */
    public boolean isOfSavepoint() {
        return status == Status.UNKNOWN;
    }

    static CutSummary of(CutManifests.Found found, Status status) {
        CutManifest manifest = found.manifest();
        return new CutSummary(
                manifest.header().id(),
                found.ref(),
                manifest.header().time(),
                manifest.rows(),
                manifest.bytes(),
                manifest.header().base(),
                status);
    }
}
