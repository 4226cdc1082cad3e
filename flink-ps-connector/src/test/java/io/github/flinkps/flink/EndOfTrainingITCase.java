package io.github.flinkps.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.testing.Savepoints;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.testing.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Manifests cannot be written after the end of training: the worker that writes them has an earlier
 * cut in its checkpoint, while the others name theirs, and the job can go on from that.
 */
@Timeout(180)
class EndOfTrainingITCase {
    private static final Pattern CUT = Pattern.compile("cuts/([0-9]+)-([0-9]+)");
    private static final Pattern ROWS = Pattern.compile("trainedRows\" ?: ?([0-9]+)");
    private static final int BATCHES = 300;
    private static final int AHEAD = 5;

    /** The most tries, as the job may have ended before. */
    private static final int ATTEMPTS = 10;

    @RegisterExtension private static final SharedCluster CLUSTER = new SharedCluster();

    /** Outlives the cluster: Flink cleans up there, after a job has ended. */
    @TempDir private static Path folder;

    private final ConcurrentMap<Path, byte[]> checkpoints = new ConcurrentHashMap<>();

    @Test
    void goesOnFromACheckpointWhoseWorkersNameDifferentCuts() throws Exception {
        Path mixed = null;
        for (int attempt = 0; mixed == null && attempt < ATTEMPTS; attempt++) {
            mixed = mixed(Files.createDirectory(folder.resolve("attempt" + attempt)));
        }
        assertThat(mixed).as("a checkpoint of two cuts").isNotNull();
        Path root = mixed.getParent();
        StreamExecutionEnvironment env = environment(root);
        Savepoints.goOnFrom(mixed.toUri().toString(), env);
        CountingJob again = job(env, root);
        again.runWithoutReports(env, root.resolve("again"));
        again.check(root.resolve("again").toString());
    }

    private static StreamExecutionEnvironment environment(Path root) {
        StreamExecutionEnvironment env = CountingJob.failing(CLUSTER.environment(2), 50);
        Configuration inOneFile = new Configuration();
        inOneFile.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                root.resolve("checkpoints").toUri().toString());
        inOneFile.set(CheckpointingOptions.FS_SMALL_FILE_THRESHOLD, MemorySize.parse("1m"));
        env.configure(inOneFile);
        return env;
    }

    private static CountingJob job(StreamExecutionEnvironment env, Path root) {
        CountingJob.Input input = new CountingJob.Input(BATCHES, true, 1);
        return new CountingJob(env, root, ConsistencySpec.Kind.ASP, input, 0);
    }

    /** Runs the job, and keeps a checkpoint that names two cuts; null if there was none. */
    private Path mixed(Path root) throws Exception {
        checkpoints.clear();
        StreamExecutionEnvironment env = environment(root);
        Thread watcher = new Thread(() -> watch(root));
        watcher.start();
        try {
            job(env, root).runAndCheck(root.resolve("model"));
        } finally {
            watcher.interrupt();
            watcher.join();
        }
        for (Path blocked : Folders.find(root, EndOfTrainingITCase::isBlocked)) {
            Files.delete(blocked.resolve("x"));
            Files.delete(blocked);
        }
        for (byte[] metadata : checkpoints.values()) {
            Set<String> names =
                    CUT.matcher(new String(metadata, StandardCharsets.ISO_8859_1))
                            .results()
                            .map(MatchResult::group)
                            .collect(Collectors.toCollection(TreeSet::new));
            System.out.println("a checkpoint of " + names);
            if (names.size() > 1) {
                Path kept = Files.createDirectory(root.resolve("kept"));
                Files.write(kept.resolve("_metadata"), metadata);
                return kept;
            }
        }
        return null;
    }

    /** Keeps all checkpoints, and blocks manifests once one has all rows. */
    private void watch(Path root) {
        boolean blocked = false;
        while (!Thread.currentThread().isInterrupted()) {
            try {
                for (Path each : Folders.find(root, EndOfTrainingITCase::isMetadata)) {
                    checkpoints.put(each, Files.readAllBytes(each));
                }
                for (Path each : Folders.find(root, path -> path.endsWith("manifest.json"))) {
                    if (!blocked && isOfAllRows(each.getParent())) {
                        block(each.getParent());
                        blocked = true;
                    }
                }
            } catch (IOException | UncheckedIOException e) {
                Thread.onSpinWait(); // files come and go
            }
        }
    }

    private static boolean isMetadata(Path path) {
        return path.endsWith("_metadata");
    }

    private static boolean isBlocked(Path path) {
        return path.endsWith("manifest.json") && Files.isDirectory(path);
    }

    private static boolean isOfAllRows(Path cut) throws IOException {
        long rows = 0;
        for (Path progress :
                Folders.find(cut, path -> path.getFileName().toString().startsWith("pro"))) {
            rows +=
                    ROWS.matcher(Files.readString(progress))
                            .results()
                            .mapToLong(found -> Long.parseLong(found.group(1)))
                            .sum();
        }
        return rows == BATCHES * CountingJob.ROWS;
    }

    /** The manifests of the next cuts cannot be written any more. */
    private static void block(Path cut) throws IOException {
        String[] name = cut.getFileName().toString().split("-");
        for (int ahead = 1; ahead <= AHEAD; ahead++) {
            String next = Long.parseLong(name[0]) + ahead + "-" + name[1];
            Files.createDirectories(cut.resolveSibling(next).resolve("manifest.json").resolve("x"));
        }
    }
}
