package io.github.flinkps.examples.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.service.FlinkModelStorage;
import io.github.flinkps.model.TableLayout;
import io.github.flinkps.model.cut.CutPartWriter;
import io.github.flinkps.testing.Polling;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.commons.io.FileUtils;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemSafetyNet;
import org.apache.flink.core.plugin.DefaultPluginManager;
import org.apache.flink.core.plugin.DirectoryBasedPluginFinder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files larger than a part of an upload, by Flink's plug-in for S3. */
@EnabledIfSystemProperty(
        named = "packaged",
        matches = "true",
        disabledReason = "runs after packaging, with mvn verify")
@Timeout(120)
class S3UploadITCase {
    private static final int PART_BYTES = 5 << 20; // the least of S3
    private static final int WIDTH = 16;
    private static final long[] KEYS = new long[1 << 12];
    private static final float[] VALUES = new float[KEYS.length * WIDTH];
    private static final List<TableLayout> TABLES =
            List.of(
                    new TableLayout(
                            TableSpec.sparse("t", WIDTH, UpdateSpec.sgd(.1)).withPartitions(1),
                            0,
                            false));

    @TempDir private static Path folder;
    private static TestingS3 s3;

    @BeforeAll
    static void start() throws Exception {
        s3 = new TestingS3(folder);
        s3.makeBucket("models");
        Path plugins = folder.resolve("plugins");
        FileUtils.copyDirectory(
                Path.of("target", "s3").toFile(), plugins.resolve("s3-fs-hadoop").toFile());
        Map<String, String> settings = new HashMap<>(s3.settings());
        settings.put("s3.multipart.size", Integer.toString(PART_BYTES));
        settings.put("io.tmp.dirs", folder.toString());
        Configuration flink = Configuration.fromMap(settings);
        FileSystem.initialize(
                flink,
                new DefaultPluginManager(
                        new DirectoryBasedPluginFinder(plugins).findPlugins(),
                        CoreOptions.getPluginParentFirstLoaderPatterns(flink)));
    }

    @AfterAll
    static void stop() throws Exception {
        FileSystem.initialize(new Configuration(), null);
        if (s3 != null) {
            s3.close();
        }
    }

    private static String uploads() throws Exception {
        return s3.list("models", "uploads");
    }

    private static String objects() throws Exception {
        return s3.list("models", "list-type=2");
    }

    /** Writes rows of a partition until parts of its file have arrived. */
    private static CutPartWriter begun(String cut, BufferAllocator allocator) throws Exception {
        CutPartWriter writer =
                CutPartWriter.open(new FlinkModelStorage(), cut, "0-0", TABLES, allocator);
        writer.begin(0, 0);
        for (long bytes = 0; bytes < 3L * PART_BYTES; bytes += VALUES.length * (long) Float.BYTES) {
            writer.append(KEYS, VALUES, new float[0][], null, KEYS.length);
        }
        Polling.await("no upload", () -> uploads().contains("<Upload>"));
        return writer;
    }

    /**
     * A cut that is given up in the middle of a file.
     *
     * @param guarded whether Flink watches what its task opens, as it does in jobs
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsGivenUpLeavesNeitherAnObjectNorAnUpload(boolean guarded) throws Exception {
        if (guarded) {
            FileSystemSafetyNet.initializeSafetyNetForThread();
        }
        String cut = "given-up-" + guarded;
        try (BufferAllocator allocator = new RootAllocator()) {
            begun("s3://models/" + cut, allocator).close();
        } finally {
            if (guarded) {
                FileSystemSafetyNet.closeSafetyNetAndGuardedResourcesForThread();
            }
        }
        assertThat(uploads()).doesNotContain("<Upload>");
        assertThat(objects()).doesNotContain(cut + "/data/00");
        assertThat(s3.requests())
                .anyMatch(request -> request.matches("DELETE /models/" + cut + ".*uploadId=.*"))
                .as("completed")
                .noneMatch(request -> request.matches("POST /models/" + cut + ".*uploadId=.*"));
    }

    @Test
    void whatIsFinishedIsThere() throws Exception {
        try (BufferAllocator allocator = new RootAllocator();
                CutPartWriter writer = begun("s3://models/finished", allocator)) {
            writer.finish();
            writer.complete();
        }
        assertThat(uploads()).doesNotContain("<Upload>");
        assertThat(objects()).contains("finished/data/00");
    }
}
