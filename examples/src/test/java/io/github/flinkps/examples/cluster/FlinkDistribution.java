package io.github.flinkps.examples.cluster;

import io.github.flinkps.testing.Polling;
import io.github.flinkps.testing.RealData;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.io.FileUtils;
import org.apache.flink.runtime.util.EnvironmentInformation;

/**
 * A complete Flink, which Maven Central does not have but PyPI does: in two packages, taken with
 * pip once and kept below {@code FLINK_PS_CACHE}, else {@code ~/.cache/flink-ps}. A folder that is
 * there is complete, and nobody writes to it any more.
 */
final class FlinkDistribution {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final String version;
    private final Path folder;

    /** Takes the version we are built with. */
    FlinkDistribution() {
        this(EnvironmentInformation.getVersion());
    }

    FlinkDistribution(String version) {
        this.version = version;
        this.folder = cache().resolve("flink-" + version);
    }

    /** Returns whether the distribution need not be installed any more. */
    boolean isThere() {
        return Files.isDirectory(folder);
    }

    /**
     * Returns Flink's home, and installs it if need be. Without it the test is skipped, or fails.
     */
    Path home() throws Exception {
        if (!isThere()) {
            Files.createDirectories(cache());
            Path lockFile = cache().resolve(".flink-" + version + ".lock");
            try (FileChannel channel =
                            FileChannel.open(
                                    lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock alone = lock(channel)) {
                if (!isThere()) {
                    install();
                }
            }
        }
        return folder.resolve("pyflink");
    }

    private static Path cache() {
        String set = System.getenv("FLINK_PS_CACHE");
        return set != null && !set.isEmpty()
                ? Path.of(set)
                : Path.of(System.getProperty("user.home"), ".cache", "flink-ps");
    }

    /** Another process may be installing. */
    private static FileLock lock(FileChannel channel) throws Exception {
        FileLock[] held = new FileLock[1];
        Polling.await(
                LIMIT.multipliedBy(2),
                () -> (held[0] = channel.tryLock()) != null,
                () -> "another process has been installing Flink for too long");
        return held[0];
    }

    /**
     * Installs it under the lock, so that an unfinished folder is that of a process that was
     * killed.
     */
    private void install() throws Exception {
        Path part = folder.resolveSibling("." + folder.getFileName() + ".part");
        FileUtils.deleteDirectory(part.toFile());
        Path log = folder.resolveSibling("." + folder.getFileName() + ".log");
        String failure = "there is no python3 with pip";
        for (String python : List.of("python3", "python")) {
            try {
                failure = pip(python, part, log);
            } catch (IOException absent) {
                continue;
            }
            if (failure == null) {
                Files.move(part, folder, StandardCopyOption.ATOMIC_MOVE);
                Files.deleteIfExists(log);
                return;
            }
        }
        FileUtils.deleteDirectory(part.toFile());
        RealData.missing(
                folder.getFileName().toString(),
                "Flink "
                        + version
                        + " is not in "
                        + folder
                        + " and cannot be installed there from PyPI: "
                        + failure);
    }

    /**
     * Returns null, or why there is none. The scripts are in a wheel that is the same for all
     * systems.
     */
    private String pip(String python, Path target, Path log) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(python, "-m", "pip", "install", "--quiet", "--no-input"));
        command.addAll(List.of("--disable-pip-version-check", "--no-deps"));
        command.addAll(List.of("--platform", "manylinux1_x86_64", "--implementation", "cp"));
        command.addAll(List.of("--python-version", "3.11", "--abi", "cp311"));
        command.addAll(List.of("--target", target.toString(), "apache-flink==" + version));
        command.add("apache-flink-libraries==" + version);
        try (ChildProcess pip =
                ChildProcess.start("pip", log.getParent(), log, Map.of(), command)) {
            if (pip.awaitExit(LIMIT) != 0) {
                return pip.tail(20);
            }
        }
        Path home = target.resolve("pyflink");
        boolean whole =
                Files.isExecutable(home.resolve("bin/flink"))
                        && Files.isRegularFile(home.resolve("lib/flink-dist-" + version + ".jar"));
        return whole ? null : "the packages hold something else than expected";
    }
}
