package io.github.flinkps.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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

    /** A new folder of this process. */
    static Path create(Path parent, String prefix) throws IOException {
        return Files.createTempDirectory(
                parent, prefix + "p" + ProcessHandle.current().pid() + "-");
    }

    /**
     * Removes what {@link #create} made for processes that are gone and in which nothing was
     * touched for a day; what cannot be removed stays.
     */
    static void sweep(Path parent, String prefix) {
        Instant limit = Instant.now().minus(LEAST_AGE);
        try (Stream<Path> entries = Files.list(parent)) {
            List<Path> ours =
                    entries.filter(entry -> entry.getFileName().toString().startsWith(prefix))
                            .filter(entry -> Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS))
                            .toList();
            for (Path folder : ours) {
                if (!isOwned(folder, prefix) && isOlder(folder, limit)) {
                    RunScope.delete(folder);
                }
            }
        } catch (IOException e) {
            LOG.debug("Cannot look for what other processes left in {}", parent, e);
        }
    }

    private static boolean isOwned(Path folder, String prefix) {
        String rest = folder.getFileName().toString().substring(prefix.length());
        Matcher owner = OWNED.matcher(rest);
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
