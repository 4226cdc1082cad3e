package io.github.flinkps.examples.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.flinkps.examples.TrainOnFile;
import io.github.flinkps.testing.ModelValues;
import io.github.flinkps.testing.Polling;
import io.github.flinkps.testing.RealData;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs submitted to a real cluster by the commands of {@code docs/cluster.md}, whose jars are
 * those that users get. Needs them packaged, so that it runs after that.
 */
@EnabledIfSystemProperty(
        named = "packaged",
        matches = "true",
        disabledReason = "runs after packaging, with mvn verify")
@Timeout(300)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RealClusterITCase {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Pattern JOB = Pattern.compile("JobID (\\w{32})");
    private static final Pattern SUBMITTED = Pattern.compile("Job ID: (\\w{32})");
    private static final Pattern SAVEPOINT = Pattern.compile("Savepoint completed. Path: (\\S+)");
    private static final Pattern SCORE = Pattern.compile("\\| shop \\| .*\\| +(\\S+) \\|");
    private static final Pattern LISTENING = Pattern.compile("listening on (\\S+)");
    private static final String ENDLESS = " --epochs 100000";

    @TempDir private static Path folder;

    /** The line that the file of SQL prints in the end. */
    static final String CLICKS_OF_NEWS = "|  news |      0.67 |    0.68 |";

    static final String CLICKS = "|        5714 | 0.86 |    0.44 |";

    private static ClusterPage page;
    private static Path home;
    private static Path rows;
    private static ModelValues local;
    private static TestingFlinkCluster cluster;
    private static List<ChildProcess> taskManagers;
    private static List<String> servers;

    @BeforeAll
    static void start() throws Exception {
        Path distribution = new FlinkDistribution().home();
        page = new ClusterPage();
        home = TestingFlinkCluster.home(distribution, folder.resolve("flink"));
        TestingFlinkCluster.addSqlGateway(home);
        cluster = new TestingFlinkCluster(home, folder.resolve("session"));
        succeeds(cluster.run("cp", page.command("cp ", "/flink-sql-connector-ps-")));
        succeeds(cluster.run("cp", page.command("cp ", "/flink-ml/")));
        cluster.startJobManager();
        taskManagers = List.of(cluster.startTaskManager(1), cluster.startTaskManager(1));
        List<ChildProcess> processes = List.of(startServer(7070), startServer(7071));
        rows = TestingRows.write(folder.resolve("rows.libsvm"));
        Path model = folder.resolve("local");
        runLocally(rows, model, "--epochs", "3");
        local = ModelValues.read(model);
        servers = new ArrayList<>();
        for (ChildProcess server : processes) {
            servers.add(server.await(LISTENING, LIMIT));
        }
        cluster.awaitTaskManagers(2);
    }

    @AfterAll
    static void stop() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
    }

    private static void runLocally(Path input, Path model, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("--input", input.toString()));
        arguments.addAll(List.of("--model", model.toString()));
        arguments.addAll(List.of("--servers", "2", "--workers", "2"));
        arguments.addAll(List.of(more));
        TrainOnFile.main(arguments.toArray(String[]::new));
    }

    private static ChildProcess startServer(int port) throws Exception {
        String command = page.command("bin/flink-ps server", "--port " + port);
        return cluster.run("server", command.replace("--port " + port, "--port 0"));
    }

    private static void succeeds(ChildProcess process) throws Exception {
        int code = process.awaitExit(LIMIT);
        assertThat(code).withFailMessage(() -> process.tail(60) + "\n" + cluster.logs()).isZero();
    }

    /** A command with paths of ours. */
    private static String on(String command, Path input, Path model) {
        return command.replace("/data/train.libsvm", input.toString())
                .replace("/data/model", model.toString());
    }

    private static String embedded(Path input, Path model) {
        return on(page.command("bin/flink run", "--servers"), input, model);
    }

    private static String remote(List<String> addresses, Path input, Path model) {
        return on(page.command("bin/flink run", "--remote"), input, model)
                .replace("localhost:7070,localhost:7071", String.join(",", addresses));
    }

    private static void eventually(Callable<Boolean> condition, String what) throws Exception {
        Polling.await(LIMIT, condition, () -> what + "\n" + cluster.logs());
    }

    /** Checks that no thread of ours, no registry of a run and no half a model is left. */
    private static void nothingIsLeft(Path model) throws Exception {
        eventually(() -> cluster.rest().ourThreads().isEmpty(), "threads are left");
        try (Stream<Path> files = Files.walk(folder.resolve("session/tmp/flink-ps"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".json"))).isEmpty();
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .noneMatch(name -> name.startsWith(".") || name.contains("tmp"));
        }
        assertThat(Files.exists(model)).isFalse();
    }

    private static ChildProcess untilItTrains(String command) throws Exception {
        ChildProcess run = cluster.run("client", command);
        String job = run.await(JOB, LIMIT);
        eventually(() -> cluster.rest().trainedRows(job) > 0, "the job does not train");
        return run;
    }

    private static void failed(ChildProcess run, Pattern reason) throws Exception {
        assertThat(run.awaitExit(LIMIT)).isNotZero();
        assertThat(run.output()).containsPattern(reason);
        String job = run.await(JOB, LIMIT);
        eventually(() -> cluster.rest().jobState(job).equals("FAILED"), "the job lives on");
    }

    /** Paths relative to the user's folder, which is not that of the cluster's processes. */
    @Test
    void trainsWithServersInTaskManagers() throws Exception {
        Path model = folder.resolve("embedded");
        Path here = ClusterPage.FOLDER;
        String command = embedded(here.relativize(rows), here.relativize(model));
        ChildProcess run = cluster.run("client", command);
        succeeds(run);
        assertThat(ModelValues.read(model)).isEqualTo(local);
        assertThat(cluster.rest().placesOfWorkers(run.await(JOB, LIMIT))).hasSize(2);
    }

    @Test
    void trainsWithServerProcesses() throws Exception {
        Path model = folder.resolve("remote");
        ChildProcess run = cluster.run("client", remote(servers, rows, model));
        succeeds(run);
        assertThat(ModelValues.read(model)).isEqualTo(local);
        assertThat(cluster.rest().placesOfWorkers(run.await(JOB, LIMIT))).hasSize(2);
    }

    @Test
    void isAsGoodAsALocalRunWithoutABound() throws Exception {
        Path train = RealData.path("a9a/a9a.libsvm");
        List<String> test = Files.readAllLines(RealData.path("a9a/a9a.t.libsvm"));
        Path model = folder.resolve("asp");
        succeeds(cluster.run("client", remote(servers, train, model) + " --consistency ASP"));
        Path localModel = folder.resolve("local-asp");
        runLocally(train, localModel, "--epochs", "3", "--consistency", "ASP");
        assertThat(logloss(test, ModelValues.read(model)))
                .isCloseTo(logloss(test, ModelValues.read(localModel)), within(.002))
                .isBetween(.3, .4);
    }

    /** Returns the logloss of rows whose values are all 1. */
    private static double logloss(List<String> rows, ModelValues model) {
        Map<Long, Float> weights = model.table("weights");
        double loss = 0;
        for (String row : rows) {
            String[] parts = row.split("[ :]");
            double z = model.get("bias", 0);
            for (int i = 1; i < parts.length; i += 2) {
                z += weights.getOrDefault(Long.parseLong(parts[i]), 0f);
            }
            loss += Math.log1p(Math.exp(Double.parseDouble(parts[0]) > 0 ? -z : z));
        }
        return loss / rows.size();
    }

    /** The connector lies in Flink's lib, the model and the optimizer in the user's jar. */
    @Test
    void findsAModelAndAnOptimizerInTheUsersJar() throws Exception {
        Path model = folder.resolve("own");
        String command = embedded(rows, model).replaceFirst("TrainOnFile", "TrainOwnModel");
        succeeds(cluster.run("client", command.substring(0, command.indexOf("--input")) + model));
        ModelValues values = ModelValues.read(model);
        for (long day = 0; day < 7; day++) {
            assertThat(values.get("weights", day)).isCloseTo(10f * day + 1.5f, within(1.5f));
        }
    }

    @Test
    void runsAFileOfSql() throws Exception {
        UserFiles files = new UserFiles(Files.createDirectory(folder.resolve("sql")));
        String command = page.command("sql-client.sh -f", "clicks.sql");
        ChildProcess run = cluster.run("sql", files.sql(command, Map.of()));
        succeeds(run);
        assertThat(run.output())
                .doesNotContain("[ERROR]") // after which it ends with 0 too
                .contains(CLICKS_OF_NEWS, CLICKS);
        assertThat(files.versions("ads/ctr")).hasSize(1);
    }

    @Test
    void runsAPipelineOfFlinkMl() throws Exception {
        UserFiles files = new UserFiles(Files.createDirectory(folder.resolve("pipeline")));
        String command = page.command("bin/flink run", "TrainPipeline");
        ChildProcess run = cluster.run("pipeline", files.command(command));
        succeeds(run);
        assertThat(run.output())
                .containsPattern("site-1 \\| +TRUE \\| +1\\.0 \\|")
                .contains("43 rows");
    }

    @Test
    void runsAPipelineOfFlinkMlFromPython() throws Exception {
        UserFiles files = new UserFiles(Files.createDirectory(folder.resolve("pipeline-python")));
        String command = page.command("bin/flink run", "pipeline.py");
        ChildProcess run = cluster.run("pipeline-python", files.python(command));
        succeeds(run);
        assertThat(run.output()).contains("300 of 300 are right");
    }

    @Test
    void runsAPythonJob() throws Exception {
        UserFiles files = new UserFiles(Files.createDirectory(folder.resolve("python")));
        ChildProcess run =
                cluster.run("python", files.python(page.command("flink run", "clicks.py")));
        succeeds(run);
        List<Path> versions = files.versions("ads/ctr_python");
        assertThat(versions).hasSize(1);
        assertThat(run.output())
                .contains("trained " + versions.get(0).getFileName() + ": 4 weights");
    }

    /** The insert's rows come slowly until it is stopped, and then as fast as they can. */
    @Test
    void anInsertThatWasStoppedGoesOn() throws Exception {
        UserFiles files = new UserFiles(Files.createDirectory(folder.resolve("stream")));
        String insert = page.command("sql-client.sh -f", "stream.sql");
        String job = cluster.run("sql", files.sql(insert, Map.of())).await(SUBMITTED, LIMIT);
        Map<String, String> fast = Map.of("'200'", "'1000000'");
        Map<String, String> whole = Map.of("'200'", "'1000000'", "ads.live", "ads.whole");
        String other = cluster.run("sql", files.sql(insert, whole)).await(SUBMITTED, LIMIT);
        eventually(() -> cluster.rest().trainedRows(job) > 0, "the job does not train");
        String stopping = page.command("flink stop").replaceFirst("JOB$", job);
        ChildProcess stop = cluster.run("stop", files.command(stopping));
        succeeds(stop);
        assertThat(files.versions("ads/live")).isEmpty();
        String savepoint = stop.await(SAVEPOINT, LIMIT);
        ended(other);
        predicts(savepoint, files);

        String again =
                page.command("sql-client.sh -D", "stream.sql").replace("SAVEPOINT", savepoint);
        String resumed = cluster.run("sql", files.sql(again, fast)).await(SUBMITTED, LIMIT);
        ended(resumed);
        assertThat(cluster.rest().restored(resumed)).isOne();
        assertThat(ModelValues.read(files.versions("ads/live").get(1)))
                .isEqualTo(ModelValues.read(files.versions("ads/whole").get(0)));
    }

    private static void ended(String job) throws Exception {
        eventually(() -> cluster.rest().jobState(job).equals("FINISHED"), "it goes on");
    }

    /**
     * Exports a savepoint, taken by Flink's own command, as a version of its model while nothing
     * runs, and predicts with it.
     */
    private static void predicts(String savepoint, UserFiles files) throws Exception {
        eventually(() -> cluster.rest().freeSlots() == 2, "a job runs");
        String export = files.command(page.command("model export"));
        succeeds(cluster.run("export", export.replace("SAVEPOINT", savepoint)));
        assertThat(files.versions("ads/live")).hasSize(1);
        String predict = page.command("sql-client.sh -f", "predict.sql");
        ChildProcess run = cluster.run("sql", files.sql(predict, Map.of()));
        succeeds(run);
        List<Double> scores =
                SCORE.matcher(run.output())
                        .results()
                        .map(score -> Double.parseDouble(score.group(1)))
                        .toList();
        assertThat(scores).hasSize(2);
        assertThat(scores.get(1)).isGreaterThan(scores.get(0));
    }

    @Test
    void aKilledServerFailsTheJob() throws Exception {
        Path model = folder.resolve("server-killed");
        try (ChildProcess doomed = startServer(7070)) {
            String address = doomed.await(LISTENING, LIMIT);
            ChildProcess run =
                    untilItTrains(
                            remote(List.of(servers.get(0), address), rows, model)
                                    + " --timeout 6s"
                                    + ENDLESS);
            doomed.kill();
            failed(run, Pattern.compile("Caused by: .*flinkps.*cannot reach server " + address));
        }
        eventually(() -> cluster.rest().freeSlots() == 2, "slots are not free again");
        nothingIsLeft(model);
    }

    @Test
    @Order(Integer.MAX_VALUE) // no other job would have slots enough
    void aKilledTaskManagerFailsTheJob() throws Exception {
        Path model = folder.resolve("task-manager-killed");
        ChildProcess run = untilItTrains(embedded(rows, model) + ENDLESS);
        taskManagers.get(0).kill();
        failed(
                run,
                Pattern.compile(
                        "Caused by: .*(remote task manager was lost|is no longer reachable)"));
        eventually(() -> cluster.rest().freeSlots() == 1, "the other's slot is not free again");
        nothingIsLeft(model);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void trainsInAClusterOfItsOwn(boolean remote) throws Exception {
        Path model = folder.resolve("application-" + remote);
        try (TestingFlinkCluster own =
                new TestingFlinkCluster(home, folder.resolve("application-mode-" + remote))) {
            String command = on(page.command("standalone-job.sh start-foreground"), rows, model);
            if (remote) {
                String of = "--remote " + String.join(",", servers) + " --model-name clicks";
                command = command.replace("--servers 2", of);
            }
            ChildProcess job = own.run("jobmanager", command);
            own.startTaskManager(1);
            own.startTaskManager(1);
            int code = job.awaitExit(LIMIT);
            assertThat(code).withFailMessage(own::logs).isZero();
        }
        assertThat(ModelValues.read(model)).isEqualTo(local);
    }
}
