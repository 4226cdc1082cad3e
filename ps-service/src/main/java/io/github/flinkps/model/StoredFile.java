package io.github.flinkps.model;

/**
 * A file that has been written.
 *
 * @param path relative to the directory of the model or cut, with {@code /}
 * @param rows in it; pushes in a file of unfinished rounds
 * @param bytes of it
 * @param crc32c of all its bytes
 */
public record StoredFile(String path, long rows, long bytes, int crc32c) {
    public StoredFile {
        if (rows < 0 || bytes < 0) {
            throw new IllegalArgumentException(
                    "file '" + path + "' of " + rows + " rows and " + bytes + " bytes");
        }
        if (path.isEmpty() || path.startsWith("/") || path.matches("(.*/)?\\.\\.(/.*)?")) {
            throw new IllegalArgumentException("file '" + path + "' lies outside its directory");
        }
    }
}
