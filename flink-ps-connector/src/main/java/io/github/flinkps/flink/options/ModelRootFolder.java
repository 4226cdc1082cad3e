package io.github.flinkps.flink.options;

import io.github.flinkps.flink.data.TextInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.UnsupportedFileSystemSchemeException;

/** Checks the folder that {@link PsOptions#MODEL_ROOT} names. */
final class ModelRootFolder {
    private ModelRootFolder() {}

    /**
     * Refuses what cannot be a folder of models, before anything is kept there.
     *
     * @param root as the option names it
     * @throws IllegalArgumentException naming the option: nothing is named, or no path or URI, a
     *     file, or a file system that Flink does not know
     */
    static void check(String root) {
        if (root.isBlank()) {
            throw new IllegalArgumentException("option 'model-root' must name a folder, not ''");
        }
        Path path;
        try {
            path = new Path(TextInput.absolute(root));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "option 'model-root': '"
                            + root
                            + "' is neither path nor URI: "
                            + e.getMessage(),
                    e);
        }
        try {
            FileSystem files = path.getFileSystem();
            if (files.exists(path) && !files.getFileStatus(path).isDir()) {
                throw new IllegalArgumentException(
                        "option 'model-root': " + root + " is a file, not a folder");
            }
        } catch (UnsupportedFileSystemSchemeException e) {
            throw new IllegalArgumentException("option 'model-root': " + e.getMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException("looking for " + root + " failed: " + e.getMessage(), e);
        }
    }
}
