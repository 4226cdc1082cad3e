package io.github.flinkps.model.cut;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.model.ModelFailures;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.StorageFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Writes and reads the manifests of cuts. Stateless, thread-safe. */
public final class CutManifests {
    private CutManifests() {}

    /**
     * Makes a cut whose parts are all complete: with its manifest in place it is durable, before it
     * does not exist. That the same manifest is there already is fine: several may publish one. A
     * failure leaves no manifest, unless removing it fails too.
     *
     * @param modelDirectory above all runs
     * @throws PsException INVALID_ARGUMENT if there is another manifest of that cut; FENCED if what
     *     it names is gone, as a later attempt removes what earlier ones have not completed; IO
     */
    public static ManifestRef publish(
            ModelStorage storage, String modelDirectory, CutManifest manifest) {
        String directory = CutPaths.directory(modelDirectory, manifest.header().id());
        String path = directory + "/" + CutPaths.MANIFEST;
        byte[] json = CutManifestJson.write(manifest);
        try {
            if (storage.exists(path)) {
                if (Arrays.equals(bytes(storage, path), json)) {
                    return new ManifestRef(path, StorageFiles.crc32c(json));
                }
                throw new PsException(
                        ErrorCode.INVALID_ARGUMENT, manifest.header().id() + " is there: " + path);
            }
            storage.makeDirectories(directory);
            if (storage.renames(path)) {
                byRenaming(storage, directory, path, json);
            } else {
                write(storage, path, json);
            }
            checkWhole(storage, modelDirectory, manifest);
        } catch (IOException e) {
            throw ModelFailures.io("write", path, e);
        }
        return new ManifestRef(path, StorageFiles.crc32c(json));
    }

    /**
     * Checks once the manifest is there that all files of the cut and its base are too; else
     * removes the manifest and throws FENCED. Whoever removes the cut from now on removes the
     * manifest first.
     */
    private static void checkWhole(
            ModelStorage storage, String modelDirectory, CutManifest manifest) throws IOException {
        CutId id = manifest.header().id();
        String directory = CutPaths.directory(modelDirectory, id);
        Set<String> there = new HashSet<>(storage.list(directory + "/" + CutPaths.DATA));
        boolean whole =
                manifest.files()
                        .map(file -> file.path().substring(file.path().lastIndexOf('/') + 1))
                        .allMatch(there::contains);
        Optional<CutBase> base = manifest.header().base();
        if (base.isPresent()) {
            whole &= storage.exists(CutPaths.manifest(modelDirectory, base.get().cut()));
        }
        if (!whole) {
            StorageFiles.deleteQuietly(storage, directory + "/" + CutPaths.MANIFEST);
            StorageFiles.deleteQuietly(storage, directory);
            throw new PsException(
                    ErrorCode.FENCED,
                    id + " came too late: files of it are gone, or the cut it adds to");
        }
    }

    /** Returns what {@link #publish} returns of a cut, for those who do not write it. */
    public static ManifestRef reference(String modelDirectory, CutManifest manifest) {
        return new ManifestRef(
                CutPaths.manifest(modelDirectory, manifest.header().id()),
                StorageFiles.crc32c(CutManifestJson.write(manifest)));
    }

    private static void byRenaming(ModelStorage storage, String directory, String path, byte[] json)
            throws IOException {
        String id = UUID.randomUUID().toString().substring(0, 8);
        String temporary = directory + "/." + CutPaths.MANIFEST + ".tmp-" + id;
        boolean done = false;
        try {
            write(storage, temporary, json);
            // The names above first: a manifest is to be found once it is there.
            syncAbove(storage, directory);
            storage.rename(temporary, path);
            storage.syncDirectory(directory);
            done = true;
        } finally {
            if (!done) {
                StorageFiles.deleteQuietly(storage, path);
                StorageFiles.deleteQuietly(storage, temporary);
            }
        }
    }

    /** Syncs the directories above that of a cut up to the model's: cuts, run, runs, model. */
    private static void syncAbove(ModelStorage storage, String directory) throws IOException {
        String above = directory;
        for (int i = 0; i < 4; i++) {
            above = StorageFiles.parent(above);
            storage.syncDirectory(above);
        }
    }

    private static void write(ModelStorage storage, String path, byte[] json) throws IOException {
        boolean done = false;
        try {
            try (ModelStorage.Output output = storage.create(path)) {
                output.write(ByteBuffer.wrap(json));
                output.sync();
            }
            done = true;
        } finally {
            if (!done) {
                StorageFiles.deleteQuietly(storage, path);
            }
        }
    }

    /**
     * Reads a manifest that must be the one referred to.
     *
     * @throws PsException CORRUPT if it is missing, damaged, another one or of a newer format, IO
     */
    public static CutManifest read(ModelStorage storage, ManifestRef ref) {
        byte[] json = bytes(storage, ref.path());
        if (StorageFiles.crc32c(json) != ref.crc32c()) {
            // A newer format says so itself.
            parse(ref.path(), json);
            throw ModelFailures.corrupt(
                    ref.path(), "its checksum differs: it is not the manifest referred to");
        }
        return parse(ref.path(), json);
    }

    /** A manifest found on storage, with the reference to it. */
    record Found(ManifestRef ref, CutManifest manifest) {}

    /**
     * Returns the reference to a manifest that is there, as it is.
     *
     * @throws PsException as {@link #read}, naming the cut before that can be used instead
     */
    public static ManifestRef at(ModelStorage storage, String path) {
        try {
            Found found = find(storage, path);
            CutId id = found.manifest().header().id();
            // A run may have been copied to another name.
            boolean other =
                    CutPaths.ofManifest(path)
                            .filter(at -> at.number() != id.number() || at.fence() != id.fence())
                            .isPresent();
            if (other) {
                throw ModelFailures.corrupt(path, "it is that of " + id);
            }
            return found.ref();
        } catch (PsException e) {
            throw CutAlternatives.unreadable(storage, path, e);
        }
    }

    /**
     * Reads a manifest by its own checksum.
     *
     * @throws PsException as {@link #read}
     */
    static Found find(ModelStorage storage, String path) {
        byte[] json = bytes(storage, path);
        ManifestRef ref = new ManifestRef(path, StorageFiles.crc32c(json));
        return new Found(ref, parse(path, json));
    }

    private static byte[] bytes(ModelStorage storage, String path) {
        try {
            return StorageFiles.readManifest(storage, path);
        } catch (NoSuchFileException e) {
            throw StorageFiles.missing(path, e);
        } catch (IOException e) {
            throw ModelFailures.io("read", path, e);
        }
    }

    private static CutManifest parse(String path, byte[] json) {
        try {
            return CutManifestJson.read(json);
        } catch (IllegalArgumentException e) {
            throw ModelFailures.corrupt(path, e);
        }
    }
}
