package io.github.flinkps.flink.data;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
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

    private static final int SMALLEST_BLOCK = 1 << 6;

    /** Taken off a power of two, so that rows of one length begin in blocks of all readers. */
    private static final int ODD = 3;

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
            Path path = path(name);
            FileSystem system = path.getFileSystem();
            path = path.makeQualified(system);
            checkReadTwice(name, path);
            FileStatus status = system.getFileStatus(path);
            if (!status.isDir()) {
                if (status.getLen() == 0) {
                    throw new InputException("input " + name + " is empty");
                }
                files.add(file(system, path, status.getLen(), files.size()));
                return;
            }
            int before = files.size();
            int empty = addFolder(system, path, files);
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

    /** Refuses what gives its bytes only once; rows are read several times. */
    private static void checkReadTwice(String name, Path path) throws InputException {
        String advice =
                ", which can be read only once, and rows are read several times: write it to"
                        + " a file first";
        File file = localFile(path);
        if (name.equals("-") && file != null && !file.exists()) {
            throw new InputException("input - stands for standard input" + advice);
        }
        if (file != null && file.exists() && !file.isFile() && !file.isDirectory()) {
            throw new InputException("input " + name + " is a pipe or device" + advice);
        }
    }

    /** Returns the file of this machine that a qualified path leads to, or null. */
    private static File localFile(Path path) {
        return "file".equals(path.toUri().getScheme()) ? new File(path.getPath()) : null;
    }

    /** Returns how many empty files it has left out. */
    private static int addFolder(FileSystem system, Path folder, List<TextFile> files)
            throws IOException {
        int empty = 0;
        for (Path entry : entries(system, folder)) {
            if (entry.getName().startsWith(".") || entry.getName().startsWith("_")) {
                continue;
            }
            checkReadTwice(TextFile.displayName(entry), entry);
            FileStatus status = system.getFileStatus(entry);
            if (status.isDir()) {
                empty += addFolder(system, entry, files);
            } else if (status.getLen() > 0) {
                files.add(file(system, entry, status.getLen(), files.size()));
            } else {
                empty++;
            }
        }
        return empty;
    }

    /** Returns what a folder holds, by name. Flink cannot list local names with a colon. */
    private static List<Path> entries(FileSystem system, Path folder) throws IOException {
        List<Path> entries = new ArrayList<>();
        File local = localFile(folder);
        if (local != null) {
            String[] names = local.list();
            if (names == null) {
                throw new FileNotFoundException(folder.toString());
            }
            for (String name : names) {
                entries.add(new Path(uri(new File(local, name))));
            }
        } else {
            FileStatus[] all = system.listStatus(folder);
            if (all == null) {
                throw new FileNotFoundException(folder.toString());
            }
            for (FileStatus status : all) {
                entries.add(status.getPath().makeQualified(system));
            }
        }
        entries.sort(Comparator.comparing(Path::getName));
        return entries;
    }

    private static TextFile file(FileSystem system, Path path, long length, int ordinal)
            throws IOException {
        try (FSDataInputStream in = system.open(path)) {
            byte[] head = in.readNBytes(Packing.HEAD);
            Packing packing = Packing.of(head);
            if (!packing.isRead()) {
                throw new IOException(packing.refusal());
            }
            return new TextFile(path.toUri().toString(), ordinal, length, packing);
        } catch (IOException e) {
            throw new InputException(
                    "input " + TextFile.displayName(path) + " cannot be read: " + e.getMessage(),
                    e);
        }
    }

    /**
     * Returns where a path leads. A file of this machine is found by its name, also where that
     * looks like a URI, such as {@code x:y}, or begins or ends with a blank.
     *
     * @throws IllegalArgumentException for what is no path
     */
    public static Path path(String name) {
        File local = asItStands(name);
        return local == null ? new Path(name) : new Path(uri(local));
    }

    /** Returns the local file whose name Flink would take for something else, or null. */
    private static File asItStands(String name) {
        int colon = name.indexOf(':');
        int slash = name.indexOf('/');
        boolean plain = (colon < 0 || slash >= 0 && slash < colon) && name.equals(name.strip());
        File file = new File(name);
        return !plain && file.exists() ? file.getAbsoluteFile() : null;
    }

    private static URI uri(File file) {
        try {
            return new URI("file", null, file.getAbsolutePath(), null);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /**
     * Returns a path as all processes of a job understand it: one without scheme that is relative
     * is relative to the folder of the process that sets up the job, not of those which run it.
     */
    public static String absolute(String path) {
        File local = asItStands(path);
        if (local != null) {
            return local.getPath();
        }
        boolean relative = !path.isEmpty() && !new Path(path).isAbsolute();
        return relative && new Path(path).toUri().getScheme() == null
                ? java.nio.file.Path.of(path).toAbsolutePath().normalize().toString()
                : path;
    }

    /**
     * Returns the block size when none is asked for: a little less than the power of two below a
     * 256th of the input's stored bytes, at least 61 bytes and at most 1 MiB, so that a small input
     * still feeds every worker. Depends on the input alone.
     */
    public static int blockSize(List<TextFile> files) {
        long total = 0;
        for (TextFile file : files) {
            total += file.length();
        }
        long aim = Long.highestOneBit(Math.max(1, total / BLOCKS_AIMED_AT));
        return (int) Math.max(SMALLEST_BLOCK, Math.min(LARGEST_BLOCK, aim)) - ODD;
    }
}
