package io.github.flinkps.flink.data;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/**
 * Finds the files of an input: the paths in the order given, a folder's files (also those of
 * folders within) by name. In folders, names that begin with a dot or underscore and empty files
 * are left out.
 */
public final class TextInput {
    /** The largest default block; see {@link #blockSize}. */
    public static final int LARGEST_BLOCK = 1 << 20;

    private static final int SMALLEST_BLOCK = 1 << 14;
    private static final int BLOCKS_AIMED_AT = 256;

    private TextInput() {}

    /**
     * Returns the files of an input, none of them empty.
     *
     * @param paths files and folders, on any file system Flink knows
     * @throws InputException naming the path that is missing, empty or cannot be read
     */
    public static List<TextFile> list(List<String> paths) throws InputException {
        if (paths.isEmpty()) {
            throw new InputException("no input is given");
        }
        List<TextFile> files = new ArrayList<>();
        for (String name : paths) {
            addPath(name, files);
        }
        return List.copyOf(files);
    }

    private static void addPath(String name, List<TextFile> files) throws InputException {
        try {
            Path path = new Path(name);
            FileSystem system = path.getFileSystem();
            FileStatus status = system.getFileStatus(path);
            if (!status.isDir()) {
                if (status.getLen() == 0) {
                    throw new InputException("input " + name + " is empty");
                }
                files.add(file(system, status, files.size()));
                return;
            }
            int before = files.size();
            int empty = addFolder(system, status.getPath(), files);
            if (files.size() == before) {
                throw new InputException(
                        empty > 0
                                ? "input folder "
                                        + name
                                        + " holds no rows: no file in it has any bytes"
                                : "input folder "
                                        + name
                                        + " holds no file to read: those whose names begin with ."
                                        + " or _ are left out");
            }
        } catch (InputException e) {
            throw e;
        } catch (FileNotFoundException e) {
            throw new InputException("input " + name + " does not exist", e);
        } catch (IOException | IllegalArgumentException e) {
            throw new InputException("input " + name + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Returns how many empty files it has left out. */
    private static int addFolder(FileSystem system, Path folder, List<TextFile> files)
            throws IOException {
        int empty = 0;
        FileStatus[] entries = system.listStatus(folder);
        if (entries == null) {
            throw new FileNotFoundException(folder.toString());
        }
        Arrays.sort(entries, Comparator.comparing(entry -> entry.getPath().getName()));
        for (FileStatus entry : entries) {
            String name = entry.getPath().getName();
            if (name.startsWith(".") || name.startsWith("_")) {
                continue;
            }
            if (entry.isDir()) {
                empty += addFolder(system, entry.getPath(), files);
            } else if (entry.getLen() > 0) {
                files.add(file(system, entry, files.size()));
            } else {
                empty++;
            }
        }
        return empty;
    }

    private static TextFile file(FileSystem system, FileStatus status, int ordinal)
            throws IOException {
        Path path = status.getPath().makeQualified(system);
        try (FSDataInputStream in = system.open(path)) {
            boolean gzip = in.read() == 0x1f && in.read() == 0x8b;
            return new TextFile(path.toString(), ordinal, status.getLen(), gzip);
        } catch (IOException e) {
            throw new InputException(
                    "input " + TextFile.displayName(path) + " cannot be read: " + e.getMessage(),
                    e);
        }
    }

    /**
     * Returns a path as all processes of a job understand it: one without scheme that is relative
     * is relative to the folder of the process that sets up the job, not of those which run it.
     */
    public static String absolute(String path) {
        boolean relative = !path.isEmpty() && !new Path(path).isAbsolute();
        return relative && new Path(path).toUri().getScheme() == null
                ? java.nio.file.Path.of(path).toAbsolutePath().normalize().toString()
                : path;
    }

    /**
     * Returns the block size when none is asked for: the power of two below a 256th of the input's
     * stored bytes, at least 16 KiB and at most 1 MiB, so that a small input still feeds every
     * worker. Depends on the input alone.
     */
    public static int blockSize(List<TextFile> files) {
        long total = 0;
        for (TextFile file : files) {
            total += file.length();
        }
        long aim = Long.highestOneBit(Math.max(1, total / BLOCKS_AIMED_AT));
        return (int) Math.max(SMALLEST_BLOCK, Math.min(LARGEST_BLOCK, aim));
    }
}
