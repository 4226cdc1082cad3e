package io.github.flinkps.flink.training;

import io.github.flinkps.model.CutId;
import io.github.flinkps.model.ManifestRef;
import java.io.IOException;

/**
 * The cut of a model that a checkpoint belongs to, as an element of operator state. Until it has
 * been read back it is one to come: its {@link CutRefSerializer} waits for it when Flink writes the
 * state, which is in the asynchronous phase of the checkpoint.
 */
final class CutRef {
    private final PendingCut pending;
    private final CutId name;
    private final ManifestRef manifest;

    private final String refusal;

    private CutRef(PendingCut pending, CutId name, ManifestRef manifest, String refusal) {
        this.pending = pending;
        this.name = name;
        this.manifest = manifest;
        this.refusal = refusal;
    }

    static CutRef pending(PendingCut cut) {
        return new CutRef(cut, null, null, null);
    }

    /** Of a checkpoint that cannot be: it is declined when it is to be written. */
    static CutRef refused(String reason) {
        return new CutRef(null, null, null, reason);
    }

    static CutRef durable(CutId name, ManifestRef manifest) {
        return new CutRef(null, name, manifest, null);
    }

    /** Which cut; may wait. */
    CutId name() throws IOException {
        return pending == null ? name : pending.name();
    }

    /** Its manifest; may wait. */
    ManifestRef manifest() throws IOException {
        if (refusal != null) {
            throw new IOException(refusal);
        }
        return pending == null ? manifest : pending.manifest();
    }
}
