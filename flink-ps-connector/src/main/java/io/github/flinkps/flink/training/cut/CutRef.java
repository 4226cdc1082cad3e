package io.github.flinkps.flink.training.cut;

import io.github.flinkps.common.PsException;
import io.github.flinkps.flink.service.FlinkModelStorage;
import io.github.flinkps.model.cut.CutCatalog;
import io.github.flinkps.model.cut.CutId;
import io.github.flinkps.model.cut.CutPaths;
import io.github.flinkps.model.cut.CutSummary;
import io.github.flinkps.model.cut.ManifestRef;
import java.io.IOException;

/**
 * The cut of a model that a checkpoint belongs to, as an element of operator state. Until it has
 * been read back it is one to come: its {@link CutRefSerializer} waits for it when Flink writes the
 * state, which is in the asynchronous phase of the checkpoint.
 */
public final class CutRef {
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

    /**
     * Returns a reference for a checkpoint that is impossible. It is declined when it is written.
     */
    public static CutRef refused(String reason) {
        return new CutRef(null, null, null, reason);
    }

    static CutRef durable(CutId name, ManifestRef manifest) {
        return new CutRef(null, name, manifest, null);
    }

    /**
     * Returns this reference, which has been read back, or after the end of training the first cut
     * that is the same model. There each worker may have named another, if servers ended meanwhile.
     *
     * @throws IOException if the storage cannot be read
     */
    public CutRef canonical() throws IOException {
        CutId cut = name();
        String directory = CutPaths.modelDirectory(manifest().path(), cut).orElse(null);
        if (directory == null) {
            return this;
        }
        try {
            CutCatalog catalog = new CutCatalog(new FlinkModelStorage(), directory);
            CutSummary first = catalog.firstAlike(cut).orElse(null);
            return first == null ? this : durable(first.id(), first.ref());
        } catch (PsException e) {
            throw new IOException("cut " + cut + " cannot be looked for: " + e.getMessage(), e);
        }
    }

    /** Returns which cut it is; may wait. */
    public CutId name() throws IOException {
        return pending == null ? name : pending.name();
    }

    /** Returns its manifest; may wait. */
    public ManifestRef manifest() throws IOException {
        if (refusal != null) {
            throw new IOException(refusal);
        }
        return pending == null ? manifest : pending.manifest();
    }
}
