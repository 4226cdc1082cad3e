package io.github.flinkps.model;

import io.github.flinkps.common.PsException;
import java.util.Optional;

/** What to do about a cut that cannot be read: go back to an earlier one, which is named. */
final class CutAlternatives {
    private CutAlternatives() {}

    /** The failure of a cut whose own manifest is unreadable, told by the place it lies at. */
    static PsException unreadable(ModelStorage storage, String manifest, PsException cause) {
        String directory = StorageFiles.parent(manifest);
        String run = StorageFiles.parent(StorageFiles.parent(directory));
        return CutId.ofDirectory(name(run), name(directory))
                .map(cut -> of(storage, manifest, cut, cut, cause))
                .orElse(cause);
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /**
     * A failure that says which cut cannot be read and which earlier one can.
     *
     * @param manifest of the cut
     * @param damaged the cut to which the file belongs that is damaged
     */
    static PsException of(
            ModelStorage storage, String manifest, CutId cut, CutId damaged, PsException cause) {
        String instead =
                previous(storage, manifest, cut, damaged)
                        .map(found -> "Use " + found.id() + " instead: " + found.ref().path())
                        .orElse("No earlier cut of the run can be used instead.");
        return new PsException(
                cause.code(),
                cause.getMessage() + ". It belongs to " + belongs(cut, damaged) + ". " + instead,
                cause);
    }

    private static String belongs(CutId cut, CutId damaged) {
        return damaged.equals(cut) ? cut.toString() : damaged + ", which " + cut + " adds to";
    }

    private static Optional<CutSummary> previous(
            ModelStorage storage, String manifest, CutId cut, CutId damaged) {
        try {
            return CutPaths.modelDirectory(manifest, cut)
                    .flatMap(model -> new CutCatalog(storage, model).previous(cut, damaged));
        } catch (PsException e) {
            return Optional.empty();
        }
    }
}
