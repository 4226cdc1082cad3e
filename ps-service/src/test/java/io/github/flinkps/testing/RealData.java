package io.github.flinkps.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * Real data sets, which are not part of the repository: looked for in the folder named by the
 * environment's {@code FLINK_PS_DATA}, else in {@code ../shared/data} beside the repository.
 *
 * <p>Where a data set is missing the test that asks for it is skipped, and the data set's name is
 * noted in {@code target/missing-data.txt} of the repository for {@code bin/verify} to report; with
 * {@code FLINK_PS_REQUIRE_DATA=1} the test fails instead.
 */
public final class RealData {
    private static final String FOLDER = "FLINK_PS_DATA";
    private static final String REQUIRED = "FLINK_PS_REQUIRE_DATA";

    private RealData() {}

    /**
     * The file or folder at {@code name}, such as {@code a9a/a9a.libsvm}, below the data folder.
     */
    public static Path path(String name) {
        Path path = folder().resolve(name);
        if (Files.exists(path)) {
            return path;
        }
        throw missing(
                name,
                "data set %s is not there (looked for %s; set %s)".formatted(name, path, FOLDER));
    }

    /**
     * Skips or fails the test that needs something the machine has not.
     *
     * @param name for {@code bin/verify} to report
     * @return never
     */
    public static AssertionError missing(String name, String message) {
        note(name);
        if ("1".equals(System.getenv(REQUIRED))) {
            Assertions.fail(message + ", and " + REQUIRED + "=1 requires it");
        }
        Assumptions.abort(message);
        return new AssertionError("not reached");
    }

    /** The folder in which data sets are looked for, whether or not it exists. */
    public static Path folder() {
        String configured = System.getenv(FOLDER);
        return configured == null || configured.isEmpty()
                ? repository().resolveSibling("shared").resolve("data")
                : Path.of(configured);
    }

    /** The root of the repository this test runs in. */
    public static Path repository() {
        Path start = Path.of("").toAbsolutePath();
        for (Path folder = start; folder != null; folder = folder.getParent()) {
            if (Files.isDirectory(folder.resolve(".mvn"))) {
                return folder;
            }
        }
        throw new IllegalStateException("no folder above " + start + " holds .mvn");
    }

    private static void note(String name) {
        Path notes = repository().resolve("target").resolve("missing-data.txt");
        try {
            Files.createDirectories(notes.getParent());
            Files.writeString(
                    notes, name + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
