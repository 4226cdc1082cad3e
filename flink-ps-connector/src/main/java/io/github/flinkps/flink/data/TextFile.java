package io.github.flinkps.flink.data;

import java.io.Serializable;
import org.apache.flink.core.fs.Path;

/**
 * A file of an input.
 *
 * @param uri where it is, absolute
 * @param ordinal its position in the input, from 0
 * @param length in bytes as stored
 * @param gzip whether it is compressed
 */
public record TextFile(String uri, int ordinal, long length, boolean gzip) implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Returns the name as a user would write it: local files without their scheme. */
    public String displayName() {
        return displayName(new Path(uri));
    }

    static String displayName(Path path) {
        String scheme = path.toUri().getScheme();
        return scheme == null || scheme.equals("file") ? path.getPath() : path.toString();
    }
}
