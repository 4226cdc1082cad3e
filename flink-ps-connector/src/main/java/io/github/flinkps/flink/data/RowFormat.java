package io.github.flinkps.flink.data;

import java.io.Serializable;
import java.nio.charset.Charset;

/** A text format of one row per line. */
public interface RowFormat extends Serializable {
    /** Returns its name on the command line. */
    String name();

    /** Returns whether the first line of each file that is not blank is no row. */
    default boolean header() {
        return false;
    }

    /**
     * Returns the same format of text in some encoding, which must write the characters of ASCII as
     * ASCII does ({@link #isRead}). A row with bytes that are not of it is bad.
     */
    default RowFormat decoded(Charset encoding) {
        return new DecodedFormat(this, encoding.name());
    }

    /** Returns whether text in an encoding can be read. */
    static boolean isRead(Charset encoding) {
        return DecodedFormat.isRead(encoding);
    }

    /** Returns a parser for one thread. */
    RowParser newParser();
}
