package io.github.flinkps.model;

import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A storage of which only what lies in one directory can be reached, whatever paths a peer names,
 * or a file that it has written. Thread-safe.
 */
public final class ConfinedStorage implements ModelStorage {
    private static final Pattern MISTYPED = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:(?!/).*");

    private final ModelStorage storage;
    private final String root;

    /**
     * @param root path or URI, as the storage takes it; null: nothing can be reached
     * @throws IllegalArgumentException if that is no such place
     */
    public ConfinedStorage(ModelStorage storage, String root) {
        this.storage = storage;
        this.root = root == null ? null : folder(storage, root);
    }

    private static String folder(ModelStorage storage, String root) {
        if (root.isBlank()) {
            throw new IllegalArgumentException("it is empty, and names no directory");
        }
        if (MISTYPED.matcher(root).matches()) {
            throw new IllegalArgumentException(
                    root
                            + " is no URI, which has a / behind the colon; of a folder write ./"
                            + root);
        }
        String place = storage.place(root);
        if (LocalModelStorage.isLocal(root)) {
            Path path = Path.of(place);
            if (Files.exists(path) && !Files.isDirectory(path)) {
                throw new IllegalArgumentException(root + " is no directory");
            }
        }
        return place;
    }

    @Override
    public String place(String path) {
        if (root == null) {
            throw new IllegalArgumentException(
                    "it writes no files for its clients: start it with model-root");
        }
        String place = storage.place(path);
        if (!place.equals(root) && !place.startsWith(root.endsWith("/") ? root : root + "/")) {
            throw new IllegalArgumentException(
                    path
                            + " lies outside of "
                            + root
                            + ", the model-root that it was started with");
        }
        return place;
    }

    private String confined(String path) throws IOException {
        try {
            return place(path);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public Output create(String file) throws IOException {
        return storage.create(confined(file));
    }

    @Override
    public ReadableByteChannel open(String file) throws IOException {
        return storage.open(confined(file));
    }

    @Override
    public boolean exists(String path) throws IOException {
        return storage.exists(confined(path));
    }

    @Override
    public boolean isRegular(String path) throws IOException {
        return storage.isRegular(confined(path));
    }

    @Override
    public List<String> list(String directory) throws IOException {
        return storage.list(confined(directory));
    }

    @Override
    public long bytes(String path) throws IOException {
        return storage.bytes(confined(path));
    }

    @Override
    public void makeDirectories(String directory) throws IOException {
        storage.makeDirectories(confined(directory));
    }

    @Override
    public boolean renames(String path) {
        return storage.renames(path);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        storage.rename(confined(from), confined(to));
    }

    @Override
    public void syncDirectory(String directory) throws IOException {
        storage.syncDirectory(confined(directory));
    }

    @Override
    public void delete(String path) throws IOException {
        storage.delete(confined(path));
    }
}
