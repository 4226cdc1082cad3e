package io.github.flinkps.model.cut;

import io.github.flinkps.common.PsException;
import io.github.flinkps.model.ModelStorage;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;

/** Names a cut to use in place of one that cannot be read. */
final class CutAlternatives {
    private CutAlternatives() {}

    /** Returns the failure of a cut whose own manifest is unreadable, named by its path. */
    static PsException unreadable(ModelStorage storage, String manifest, PsException cause) {
        return CutPaths.ofManifest(manifest)
                .map(cut -> of(storage, manifest, cut, cut, cause))
                .orElseGet(() -> isGone(storage, manifest) ? gone(manifest, "", cause) : cause);
    }

    private static boolean isGone(ModelStorage storage, String manifest) {
        try {
            return !storage.exists(manifest);
        } catch (IOException unknown) {
            return false;
        }
    }

    private static PsException gone(String manifest, String more, PsException cause) {
        return new PsException(cause.code(), "there is no manifest " + manifest + more, cause);
    }

    /**
     * Returns a failure that says which cut cannot be read and which earlier one can.
     *
     * @param manifest of the cut
     * @param damaged the cut to which the file belongs that is damaged
     */
    static PsException of(
            ModelStorage storage, String manifest, CutId cut, CutId damaged, PsException cause) {
        if (isGone(storage, manifest)) {
            String newest =
                    inRun(storage, manifest, cut, catalog -> catalog.newest(cut.run()))
                            .map(
                                    found ->
                                            "The newest of its run is "
                                                    + found.id()
                                                    + ": "
                                                    + found.ref().path())
                            .orElse("No cut of its run can be used.");
            return gone(
                    manifest,
                    ": "
                            + cut
                            + " is gone. A job that trains removes the cuts it needs no more:"
                            + " raise keep-cuts to keep them longer. "
                            + newest,
                    cause);
        }
        String instead =
                inRun(storage, manifest, cut, catalog -> catalog.previous(cut, damaged))
                        .map(found -> "Try " + found.id() + " instead: " + found.ref().path())
                        .orElse("No earlier cut of the run can be used instead.");
        return new PsException(
                cause.code(),
                cause.getMessage() + ". It belongs to " + belongs(cut, damaged) + ". " + instead,
                cause);
    }

    private static String belongs(CutId cut, CutId damaged) {
        return damaged.equals(cut) ? cut.toString() : damaged + ", which " + cut + " adds to";
    }

    private static Optional<CutSummary> inRun(
            ModelStorage storage,
            String manifest,
            CutId cut,
            Function<CutCatalog, Optional<CutSummary>> search) {
        try {
            return CutPaths.modelDirectory(manifest, cut)
                    .flatMap(model -> search.apply(new CutCatalog(storage, model)));
        } catch (PsException e) {
            return Optional.empty();
        }
    }
}
