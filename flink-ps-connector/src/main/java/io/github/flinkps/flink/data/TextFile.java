package io.github.flinkps.flink.data;

import java.io.Serializable;
import java.net.URI;
import org.apache.flink.core.fs.Path;

/**
 * A file of an input.
 *
 * @param uri where it is, absolute and encoded
 * @param ordinal its position in the input, from 0
 * @param length in bytes as stored
 * @param packing in which its text is
 */
public record TextFile(String uri, int ordinal, long length, Packing packing)
        implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Returns whether its text can only be read from the beginning. */
    boolean packed() {
        return packing != Packing.NONE;
    }

    /** Returns where it is. */
    public Path path() {
        return new Path(URI.create(uri));
    }

    /** Returns the name as a user would write it: local files without their scheme. */
    public String displayName() {
        return displayName(path());
    }

    static String displayName(Path path) {
        String scheme = path.toUri().getScheme();
        return scheme == null || scheme.equals("file") ? path.getPath() : path.toString();
    }
}
