package io.github.flinkps.harness.oracle;

import io.github.flinkps.model.LocalModelStorage;
import java.io.IOException;
import java.nio.file.Path;

/** Files of runs. */
final class OracleFiles {
    private OracleFiles() {}

    /** Removes a folder with all in it, while processes that were killed may still write there. */
    static void delete(Path folder) throws IOException {
        new LocalModelStorage().delete(LocalModelStorage.path(folder));
    }
}
