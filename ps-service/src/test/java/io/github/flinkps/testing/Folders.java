package io.github.flinkps.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Looks for files that come and go meanwhile, as those of jobs that run do. */
public final class Folders {
    private Folders() {}

    /**
     * Returns the wanted paths in a folder and the folders below it; nothing if there is no such
     * folder.
     */
    public static List<Path> find(Path folder, Predicate<Path> wanted) {
        Finder finder = new Finder(wanted);
        try {
            Files.walkFileTree(folder, finder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        finder.found.sort(null);
        return finder.found;
    }

    private static final class Finder extends SimpleFileVisitor<Path> {
        private final Predicate<Path> wanted;
        private final List<Path> found = new ArrayList<>();

        Finder(Predicate<Path> wanted) {
            this.wanted = wanted;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            return visitFile(directory, attributes);
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (wanted.test(file)) {
                found.add(file);
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            return unlessGone(failure);
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, IOException failure)
                throws IOException {
            return unlessGone(failure);
        }

        private static FileVisitResult unlessGone(IOException failure) throws IOException {
            if (failure != null && !(failure instanceof NoSuchFileException)) {
                throw failure;
            }
            return FileVisitResult.CONTINUE;
        }
    }
}
