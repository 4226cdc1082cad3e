package io.github.flinkps.model;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.List;

/**
 * The storage of models: files under paths with {@code /} between their parts. Failures are {@link
 * IOException}s whose message says what happened; {@link java.nio.file.NoSuchFileException} where a
 * file is not there. Thread-safe, but for the files it opens.
 */
public interface ModelStorage {
    /**
     * A new file being written, from its start. It is complete, and will survive the machine, once
     * {@link #sync} and {@link #close} have returned: object stores know a file at its close only.
     */
    interface Output extends Closeable {
        /** Writes all of the buffer's remaining bytes. */
        void write(ByteBuffer bytes) throws IOException;

        /**
         * Waits until what has been written will survive the machine; returns at once where only
         * closing the file can see to that.
         */
        void sync() throws IOException;
    }

    /** Creates a file in a directory that is there, replacing one of that name. */
    Output create(String file) throws IOException;

    /** Opens a file for reading from its start. */
    ReadableByteChannel open(String file) throws IOException;

    /** Returns whether there is a file or directory of that name. */
    boolean exists(String path) throws IOException;

    /**
     * Returns whether what is there can be read to an end, unlike a pipe or a directory; true of
     * what is not there.
     */
    default boolean isRegular(String path) throws IOException {
        return true;
    }

    /** Returns the names in a directory, sorted; none if it is not there, or is a file. */
    List<String> list(String directory) throws IOException;

    /** Returns the bytes of a file, or of all files in a directory; 0 if it is not there. */
    long bytes(String path) throws IOException;

    /** Creates a directory and those above it, where they are not there yet. */
    void makeDirectories(String directory) throws IOException;

    /**
     * Returns the one name that a place has here, in whichever way it is written.
     *
     * @throws IllegalArgumentException for what lies on storage that cannot be reached from here,
     *     saying what can be
     */
    default String place(String path) {
        return path;
    }

    /**
     * Returns whether {@link #rename} is one step where this path lies. Where it is not, as in
     * object stores, it is never asked for; a file must then appear whole, under the name it was
     * created with, when it is closed after {@link Output#sync}, and not before. One that is closed
     * without may appear cut short: who writes it removes it then.
     */
    default boolean renames(String path) {
        return true;
    }

    /**
     * Gives a file or directory another name in one step. A file of the new name is replaced; a
     * directory of that name must be empty or not there.
     */
    void rename(String from, String to) throws IOException;

    /**
     * Waits until the names in a directory will survive the machine, where the storage can tell.
     */
    void syncDirectory(String directory) throws IOException;

    /**
     * Removes a file, or a directory with all in it; what is not there, or is gone meanwhile, is
     * fine.
     */
    void delete(String path) throws IOException;
}
