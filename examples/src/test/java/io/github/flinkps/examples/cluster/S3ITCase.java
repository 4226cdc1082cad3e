package io.github.flinkps.examples.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.github.flinkps.testing.ModelValues;
import io.github.flinkps.testing.Polling;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A real cluster that keeps models, cuts and checkpoints in S3, by {@code docs/storage.md}. */
@EnabledIfSystemProperty(
        named = "packaged",
        matches = "true",
        disabledReason = "runs after packaging, with mvn verify")
@Timeout(600)
class S3ITCase {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Pattern SUBMITTED = Pattern.compile("Job ID: (\\w{32})");
    private static final Pattern LISTENS = Pattern.compile("listening on (\\S+)");
    private static final Pattern SAVEPOINT = Pattern.compile("Savepoint completed. Path: (\\S+)");
    private static final Pattern VERSION = Pattern.compile("\\| +(\\d{8}T\\d{9}Z) \\|");
    private static final Pattern TOTAL = Pattern.compile("\\| +\\d+ \\| +-?\\d+\\.[\\dE-]+ \\|");
    private static final String LOCAL_ROOT = "file:///tmp/flink-ps-models";
    private static final String ROOT = "s3://models/root";
    private static final String CHECKPOINTS = "s3://models/checkpoints";
    private static final int ROWS = 20_000;
    private static final int EPOCHS = 20;

    /** A bounded input, of whose rows a worker has few on its heap. */
    private static final String SEVERAL_PASSES =
            """
            SET 'execution.checkpointing.interval' = '500 ms';
            SET 'execution.checkpointing.tolerable-failed-checkpoints' = '100';
            CREATE TEMPORARY TABLE numbers (n BIGINT) WITH (
                'connector' = 'datagen', 'rows-per-second' = '1000000', 'number-of-rows' = '%1$d',
                'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '%1$d');
            CREATE DATABASE IF NOT EXISTS ps.ads;
            CREATE TABLE ps.ads.counted (y INT, n ARRAY<BIGINT>) WITH (
                'label' = 'y', 'algorithm' = 'paced-counting', 'batch-size' = '100');
            INSERT INTO ps.ads.counted
                /*+ OPTIONS('servers' = '2', 'workers' = '2', 'epochs' = '%2$d',
                    'row-memory' = '16 kb') */
                SELECT 0, ARRAY[n] FROM numbers;
            """;

    private static final Pattern ROW_FILES =
            Pattern.compile("root/ads/counted/runs/[^/]+/rows/[\\w-]+");

    @TempDir private static Path folder;

    private static ClusterPage page;
    private static ClusterPage ofCluster;
    private static TestingS3 s3;
    private static TestingFlinkCluster cluster;
    private static UserFiles files;
    private static ChildProcess taskManager;

    @BeforeAll
    static void start() throws Exception {
        page = new ClusterPage("docs/storage.md");
        ofCluster = new ClusterPage();
        s3 = new TestingS3(folder);
        s3.makeBucket("models");
        files = new UserFiles(folder);
        Path home =
                TestingFlinkCluster.home(new FlinkDistribution().home(), folder.resolve("flink"));
        TestingFlinkCluster.addSqlGateway(home);
        CountingJar.addTo(home.resolve("lib"));
        FileUtils.copyDirectory(Path.of("target", "s3").toFile(), home.resolve("opt").toFile());
        Map<String, String> settings = new HashMap<>(TestingFlinkCluster.SMALL_TASK_MANAGER);
        settings.putAll(s3.settings());
        settings.put("taskmanager.memory.process.size", "640m");
        settings.put("execution.checkpointing.dir", CHECKPOINTS);
        settings.put("restart-strategy.type", "fixed-delay");
        settings.put("restart-strategy.fixed-delay.attempts", "100");
        cluster = new TestingFlinkCluster(home, folder.resolve("session"), settings);
        succeeds(cluster.run("cp", ofCluster.command("cp ", "/flink-sql-connector-ps-")));
        succeeds(cluster.run("mkdir", page.command("mkdir ")));
        succeeds(cluster.run("cp", page.command("cp ", "/flink-s3-fs-hadoop-")));
        Path paimon = Path.of("target", "paimon").toAbsolutePath();
        succeeds(
                cluster.run(
                        "cp",
                        page.command("cp paimon")
                                .replaceAll(" (?=paimon|hadoop)", " " + paimon + "/")));
        cluster.startJobManager();
        taskManager = cluster.startTaskManager(2);
        cluster.awaitTaskManagers(1);
    }

    @AfterAll
    static void stop() throws Exception {
        try {
            if (cluster != null) {
                cluster.close();
            }
        } finally {
            if (s3 != null) {
                s3.close();
            }
        }
    }

    private static ChildProcess succeeds(ChildProcess process) throws Exception {
        int code = process.awaitExit(LIMIT);
        assertThat(code).withFailMessage(() -> process.tail(60) + "\n" + cluster.logs()).isZero();
        return process;
    }

    private static void eventually(Callable<Boolean> condition, String what) throws Exception {
        Polling.await(LIMIT, condition, () -> what + "\n" + cluster.logs());
    }

    /** Runs a file of SQL with its models in S3. */
    private static ChildProcess sql(String command, String... more) throws Exception {
        Map<String, String> changes = new LinkedHashMap<>();
        changes.put(files.command(LOCAL_ROOT), ROOT);
        for (int i = 0; i < more.length; i += 2) {
            changes.put(more[i], more[i + 1]);
        }
        return cluster.run("sql", files.sql(command, changes));
    }

    private static ChildProcess statements(String text) throws Exception {
        Path file = Files.createTempFile(folder, "", ".sql");
        String catalog =
                "SET 'sql-client.execution.result-mode' = 'tableau';\n"
                        + "CREATE CATALOG ps WITH ('type' = 'flink-ps', 'model-root' = '"
                        + ROOT
                        + "');\n";
        Files.writeString(file, catalog + text);
        ChildProcess run = succeeds(cluster.run("sql", "$FLINK_HOME/bin/sql-client.sh -f " + file));
        assertThat(run.output()).doesNotContain("[ERROR]");
        return run;
    }

    private static ModelValues exported(String model) throws Exception {
        Path directory = folder.resolve("exported-" + model + "-" + System.nanoTime());
        statements("CALL ps.sys.export_model('ads." + model + "', '" + directory + "');");
        return ModelValues.read(directory);
    }

    private static void ended(String job) throws Exception {
        eventually(() -> cluster.rest().jobState(job).equals("FINISHED"), "it goes on");
    }

    /** A job that loses its TaskManager, and with it its servers, is stopped and goes on. */
    @Test
    void trainsRecoversAndGoesOnFromASavepoint() throws Exception {
        trains(
                "live",
                ROOT,
                () -> {
                    taskManager.kill();
                    taskManager = cluster.startTaskManager(2);
                });
    }

    /** The same of a job that loses a server which keeps its cuts in S3. */
    @Test
    void serversOfTheirOwnKeepTheirCutsThere() throws Exception {
        ChildProcess[] server = {server("0")};
        String address = server[0].await(LISTENS, LIMIT);
        String port = address.substring(address.indexOf(':') + 1);
        trains(
                "remote",
                ROOT + "', 'remote' = '" + address,
                () -> {
                    server[0].kill();
                    server[0] = server(port);
                });
        server[0].kill();
        String outside = page.command("flink-ps server").replace("s3://models", "s4://models");
        ChildProcess refused =
                cluster.run("server", outside.replace("$FLINK_HOME/conf", "$FLINK_CONF_DIR"));
        assertThat(refused.awaitExit(LIMIT)).isNotZero();
        assertThat(refused.output())
                .contains("--model-root cannot be reached by FLINK_PLUGINS_DIR and FLINK_CONF_DIR")
                .contains("s4");
    }

    private static ChildProcess server(String port) throws Exception {
        String command = page.command("flink-ps server").replace("7070", port);
        return cluster.run("server", command.replace("$FLINK_HOME/conf", "$FLINK_CONF_DIR"));
    }

    /** Kills something that a job needs, and starts it again. */
    private interface Loss {
        void strike() throws Exception;
    }

    /**
     * Trains a model that has the bits of one whose training nothing has disturbed.
     *
     * @param root of its models, and what follows that in the catalog
     */
    private static void trains(String model, String root, Loss loss) throws Exception {
        String insert = ofCluster.command("sql-client.sh -f", "stream.sql");
        String name = "ads." + model;
        String undisturbed = name + "_whole";
        String fast = "'1000000'";
        ended(
                sql(insert, ROOT, root, "'200'", fast, "ads.live", undisturbed)
                        .await(SUBMITTED, LIMIT));
        String job = sql(insert, ROOT, root, "ads.live", name).await(SUBMITTED, LIMIT);
        FlinkRest flink = cluster.rest();
        eventually(
                () -> flink.completedCheckpoints(job) > 1 && flink.trainedRows(job) > 0,
                "it does not train");

        loss.strike();
        eventually(() -> flink.restored(job) > 0, "it is not restored");
        int before = flink.completedCheckpoints(job);
        eventually(() -> flink.completedCheckpoints(job) > before, "it does not go on");

        String stopping =
                ofCluster
                        .command("flink stop")
                        .replaceFirst("JOB$", job)
                        .replace("/tmp/flink-ps-savepoints", "s3://models/savepoints");
        String savepoint = succeeds(cluster.run("stop", stopping)).await(SAVEPOINT, LIMIT);
        assertThat(savepoint).startsWith("s3://models/savepoints/");
        String export =
                page.command("model export")
                        .replace("SAVEPOINT", savepoint)
                        .replace("exported", "exported-" + model)
                        .replace("$FLINK_HOME/conf", "$FLINK_CONF_DIR");
        succeeds(cluster.run("export", files.command(export)));
        Path exported = folder.resolve("flink-ps-exported-" + model);
        assertThat(ModelValues.read(exported).table("weights")).isNotEmpty();

        String again = ofCluster.command("sql-client.sh -D").replace("SAVEPOINT", savepoint);
        String resumed =
                sql(again, ROOT, root, "'200'", fast, "ads.live", name).await(SUBMITTED, LIMIT);
        ended(resumed);
        assertThat(flink.restored(resumed)).isOne();
        assertThat(exported(model)).isEqualTo(exported(model + "_whole"));
        assertThat(statements("SELECT * FROM ps.ads.`" + model + "$versions`;").output())
                .containsPattern(VERSION);
    }

    /** Rows of several passes, which a job that loses its TaskManager reads there again. */
    @Test
    void goesOnInALaterPassWithRowsKeptThere() throws Exception {
        String job = statements(SEVERAL_PASSES.formatted(ROWS, EPOCHS)).await(SUBMITTED, LIMIT);
        FlinkRest flink = cluster.rest();
        eventually(() -> flink.trainedRows(job) > 2 * ROWS, "it trains no later pass");
        int before = flink.completedCheckpoints(job);
        eventually(() -> flink.completedCheckpoints(job) > before + 1, "it takes no checkpoints");
        assertThat(taskManager.output()).contains("Rows beyond 16 kb are kept in ");
        Set<String> files = rowFiles();
        assertThat(files).isNotEmpty();
        assertThat(rowsRead()).isEmpty();
        assertThat(flink.trainedRows(job)).isLessThan((EPOCHS - 2) * ROWS);

        taskManager.kill();
        taskManager = cluster.startTaskManager(2);
        ended(job);
        assertThat(flink.restored(job)).isPositive();
        assertThat(rowsRead()).isEqualTo(files);
        assertThat(rowFiles()).isEmpty();
        Path model = onlyVersion("ads/counted");
        Map<Long, Float> counts = ModelValues.read(model, "own");
        assertThat(counts).hasSize(ROWS);
        assertThat(counts.values()).containsOnly((float) EPOCHS);
        assertThat(ModelValues.read(model, "total")).containsOnly(entry(0L, (float) ROWS * EPOCHS));
    }

    /** Returns a copy of the only version of a model. */
    private static Path onlyVersion(String model) throws Exception {
        Path copy = folder.resolve("copy");
        s3.download("models", "root/" + model + "/versions/", copy);
        try (Stream<Path> all = Files.walk(copy)) {
            List<Path> manifests = all.filter(each -> each.endsWith("manifest.json")).toList();
            assertThat(manifests).hasSize(1);
            return manifests.get(0).getParent();
        }
    }

    /** Returns the files of rows that the bucket has. */
    private static Set<String> rowFiles() throws Exception {
        return rowFiles(s3.list("models", "list-type=2&prefix=root/ads/counted/"));
    }

    /** Returns the files of rows that were read so far. */
    private static Set<String> rowsRead() throws Exception {
        return rowFiles(
                s3.requests().stream()
                        .filter(request -> request.startsWith("GET /models/root/"))
                        .collect(Collectors.joining("\n")));
    }

    private static Set<String> rowFiles(String text) {
        return ROW_FILES
                .matcher(text)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toSet());
    }

    /** A lake beside the models, whose tables are trained on and written to. */
    @Test
    void tablesOfPaimonAreTrainedOnAndTakePredictions() throws Exception {
        String lake = files.command("file:///tmp/flink-ps-lake");
        String command = page.command("sql-client.sh -f", "paimon.sql");
        ChildProcess run = succeeds(sql(command, lake, "s3://models/lake"));
        assertThat(run.output())
                .doesNotContain("[ERROR]")
                .containsPattern("5714 \\| +0\\.[89] \\|");
        assertThat(folder.resolve("flink-ps-lake")).doesNotExist();
    }

    /** The page's tables, versions and predictions, as of now and as of a version. */
    @Test
    void sqlTrainsAndPredictsFromVersions() throws Exception {
        String command = ofCluster.command("sql-client.sh -f", "clicks.sql");
        ChildProcess less = succeeds(sql(command, "'epochs' = '3'", "'epochs' = '1'"));
        assertThat(less.output()).doesNotContain("[ERROR]");
        assertThat(succeeds(sql(command)).output())
                .doesNotContain("[ERROR]")
                .contains(RealClusterITCase.CLICKS_OF_NEWS, RealClusterITCase.CLICKS);
        String listed = statements("SELECT version FROM ps.ads.`ctr$versions`;").output();
        List<String> versions =
                VERSION.matcher(listed).results().map(found -> found.group(1)).toList();
        assertThat(versions).hasSize(2);
        String first = parameters("/*+ OPTIONS('version' = '" + versions.get(0) + "') */");
        assertThat(first).containsPattern("\\| +[1-9]\\d* \\|");
        assertThat(parameters(asOf(versions.get(0)))).isEqualTo(first);
        assertThat(parameters(asOf(versions.get(1)))).isEqualTo(parameters(""));
        assertThat(parameters("")).isNotEqualTo(first);
        statements("CALL ps.sys.expire_versions('ads.ctr', 1);");
        assertThat(statements("SELECT version FROM ps.ads.`ctr$versions`;").output())
                .contains(versions.get(1))
                .doesNotContain(versions.get(0));
        statements("DROP TABLE ps.ads.ctr;");
        assertThat(statements("SHOW TABLES FROM ps.ads;").output()).doesNotContain("ctr");
    }

    /** Returns the row that sums up the parameters of a version. */
    private static String parameters(String ofVersion) throws Exception {
        String query = "SELECT COUNT(*) AS n, SUM(`values`[1]) AS total FROM ads.`ctr$params` ";
        String settings =
                """
                USE CATALOG ps;
                SET 'table.local-time-zone' = 'UTC';
                SET 'execution.runtime-mode' = 'batch';
                """;
        String output = statements(settings + query + ofVersion + ";").output();
        Matcher row = TOTAL.matcher(output);
        assertThat(row.find()).withFailMessage(output).isTrue();
        return row.group();
    }

    /** Asks for what there was when a version was made. */
    private static String asOf(String version) {
        String time =
                version.replaceFirst("(....)(..)(..)T(..)(..)(..)(...)Z", "$1-$2-$3 $4:$5:$6.$7");
        return "FOR SYSTEM_TIME AS OF TIMESTAMP '" + time + "'";
    }
}
