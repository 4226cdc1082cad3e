package io.github.flinkps.flink.table;

import java.io.Serializable;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * A version of a model: a model directory that does not change any more. Its id is the time it was
 * published, so that the order of ids is that of time.
 *
 * @param id such as {@code 20260131T235959123Z}
 * @param directory path or URI
 */
public record ModelVersion(String id, String directory) implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final DateTimeFormatter ID =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmssSSS'Z'").withZone(ZoneOffset.UTC);

    /** The id of a version published then. */
    public static String id(Instant published) {
        return ID.format(published);
    }

    /** Whether a name of a folder is an id. */
    static boolean isId(String name) {
        try {
            return id(time(name)).equals(name);
        } catch (DateTimeException e) {
            return false;
        }
    }

    /** The time that an id is. */
    static Instant time(String id) {
        return ID.parse(id, Instant::from);
    }

    /** When it was published, in milliseconds. */
    public Instant published() {
        return time(id);
    }
}
