package io.github.flinkps.cli.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hidden folders whose names say which process made them, so that those of processes that were
 * killed can go at the next start.
 */
final class StaleFolders {
    /** Processes of another machine, on a shared folder, are not to be seen from here. */
    private static final Duration LEAST_AGE = Duration.ofDays(1);

    private static final Pattern OWNED = Pattern.compile("p(\\d+)-.*");
    private static final Logger LOG = LoggerFactory.getLogger(StaleFolders.class);

    private StaleFolders() {}

    /** Returns a new folder of this process. */
    static Path create(Path parent, String prefix) throws IOException {
        return Files.createTempDirectory(
                parent, prefix + "p" + ProcessHandle.current().pid() + "-");
    }

    /**
     * Removes what {@link #create} made for processes that are gone and in which nothing was
     * touched for a day; what cannot be removed stays.
     */
    static void sweep(Path parent, String prefix) {
        sweep(parent, prefix, name -> true);
    }

    /**
     * Removes as {@link #sweep} does, but only folders that name a process, as others may have
     * folders of that prefix.
     */
    static void sweepNamed(Path parent, String prefix) {
        sweep(parent, prefix, name -> OWNED.matcher(name).matches());
    }

    private static void sweep(Path parent, String prefix, Predicate<String> ours) {
        Instant limit = Instant.now().minus(LEAST_AGE);
        try (Stream<Path> entries = Files.list(parent)) {
            List<Path> found =
                    entries.filter(entry -> entry.getFileName().toString().startsWith(prefix))
                            .filter(entry -> ours.test(rest(entry, prefix)))
                            .filter(entry -> Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS))
                            .toList();
            for (Path folder : found) {
                if (!isOwned(folder, prefix) && isOlder(folder, limit)) {
                    RunScope.delete(folder);
                }
            }
        } catch (IOException | UncheckedIOException e) { // such as another user's
            LOG.debug("Cannot look for what other processes left in {}", parent, e);
        }
    }

    private static String rest(Path folder, String prefix) {
        return folder.getFileName().toString().substring(prefix.length());
    }

    private static boolean isOwned(Path folder, String prefix) {
        Matcher owner = OWNED.matcher(rest(folder, prefix));
        return owner.matches() && ProcessHandle.of(Long.parseLong(owner.group(1))).isPresent();
    }

    private static boolean isOlder(Path folder, Instant limit) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.toList()) {
                if (Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS)
                        .toInstant()
                        .isAfter(limit)) {
                    return false;
                }
            }
        }
        return true;
    }
}
