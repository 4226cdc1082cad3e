package io.github.flinkps.model;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The file system of this machine, by paths and {@code file:} URIs, whose characters stand for
 * themselves as in Flink's. Stateless, thread-safe.
 */
public final class LocalModelStorage implements ModelStorage {
    private static final Pattern OTHER = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:/.*");
    private static final Pattern FILE = Pattern.compile("file:(//(localhost)?|(?!//))(?=/)");

    /** Returns the path of a directory as storages name it. */
    public static String path(Path directory) {
        return directory.toAbsolutePath().normalize().toString();
    }

    /**
     * Returns the local path that a path or {@code file:} URI names.
     *
     * @throws IllegalArgumentException for a URI of another file system, and what is no path
     */
    public static String path(String named) {
        return path(at(named));
    }

    /** Returns whether a path is on a file system of this machine. */
    public static boolean isLocal(String named) {
        return FILE.matcher(named).lookingAt() || !OTHER.matcher(named).matches();
    }

    private static Path at(String named) {
        Matcher file = FILE.matcher(named);
        if (file.lookingAt()) {
            return Path.of(named.substring(file.end()));
        }
        if (!isLocal(named)) {
            throw new IllegalArgumentException(
                    named
                            + " is not on a file system of this machine, where alone models and"
                            + " cuts are kept here: name a path or a file: URI");
        }
        return Path.of(named);
    }

    @Override
    public String place(String path) {
        return path(path);
    }

    @Override
    public Output create(String file) throws IOException {
        return LocalOutput.create(at(file));
    }

    @Override
    public ReadableByteChannel open(String file) throws IOException {
        return FileChannel.open(at(file), StandardOpenOption.READ);
    }

    @Override
    public boolean exists(String path) throws IOException {
        return isThere(at(path));
    }

    /**
     * Returns whether a path is there. Throws where that cannot be told, so that nothing is removed
     * for it. Asks once, as a file may come between two questions.
     */
    private static boolean isThere(Path path) throws IOException {
        try {
            BasicFileAttributes unused =
                    Files.readAttributes(
                            path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return true;
        } catch (NoSuchFileException absent) {
            return false;
        } catch (IOException e) {
            if (isBelowFile(path)) {
                return false; // systems say of it that there is something that is no directory
            }
            throw new IOException("cannot tell whether " + path + " is there", e);
        }
    }

    private static boolean isBelowFile(Path path) {
        Path above = path.toAbsolutePath().getParent();
        while (above != null && !Files.exists(above)) {
            above = above.getParent();
        }
        return above != null && !Files.isDirectory(above);
    }

    @Override
    public boolean isRegular(String path) throws IOException {
        Path wanted = at(path);
        try {
            return Files.readAttributes(wanted, BasicFileAttributes.class).isRegularFile();
        } catch (NoSuchFileException absent) {
            return true;
        } catch (IOException e) {
            if (isBelowFile(wanted)) {
                return true; // as what is absent
            }
            throw new IOException("cannot tell what " + path + " is", e);
        }
    }

    @Override
    public List<String> list(String directory) throws IOException {
        Path path = at(directory);
        if (!isThere(path) || Files.isRegularFile(path)) {
            return List.of();
        }
        try (Stream<Path> names = Files.list(path)) {
            return names.map(name -> name.getFileName().toString()).sorted().toList();
        } catch (NoSuchFileException gone) {
            return List.of();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    @Override
    public long bytes(String path) throws IOException {
        long[] sum = new long[1];
        Files.walkFileTree(
                at(path),
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        sum[0] += attributes.size();
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException failure)
                            throws IOException {
                        throwUnlessGone(failure);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(Path directory, IOException failure)
                            throws IOException {
                        throwUnlessGone(failure);
                        return FileVisitResult.CONTINUE;
                    }
                });
        return sum[0];
    }

    private static void throwUnlessGone(IOException failure) throws IOException {
        if (failure != null && !(failure instanceof NoSuchFileException)) {
            throw failure;
        }
    }

    @Override
    public void makeDirectories(String directory) throws IOException {
        Files.createDirectories(at(directory));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        try {
            Files.move(at(from), at(to), StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(at(from), at(to), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    @Override
    public void syncDirectory(String directory) throws IOException {
        try (FileChannel channel = FileChannel.open(at(directory), StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public void delete(String path) throws IOException {
        if (exists(path)) {
            Files.walkFileTree(at(path), new Remover());
        }
    }

    /** Removes what it meets, unless somebody else does. */
    private static final class Remover extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            throwUnlessGone(failure);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, IOException failure)
                throws IOException {
            throwUnlessGone(failure);
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
