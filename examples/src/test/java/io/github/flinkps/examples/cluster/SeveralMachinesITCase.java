package io.github.flinkps.examples.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.github.flinkps.examples.TrainOnFile;
import io.github.flinkps.testing.ModelValues;
import io.github.flinkps.testing.Polling;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster whose processes run on networks of their own, by the commands of {@code
 * docs/machines.md}, and links that are cut.
 */
@EnabledIfSystemProperty(
        named = "packaged",
        matches = "true",
        disabledReason = "runs after packaging, with mvn verify")
@Timeout(300)
class SeveralMachinesITCase {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Pattern JOB = Pattern.compile("JobID (\\w{32})");
    private static final Pattern LISTENING = Pattern.compile("listening on (\\S+)");
    private static final String EPOCHS = "400";

    /** The ports of Flink's own connections, which are plain. */
    private static final Map<String, String> FLINK_PORTS =
            Map.of(
                    "jobmanager.rpc.port", "6123",
                    "taskmanager.rpc.port", "6122",
                    "taskmanager.data.port", "6121",
                    "blob.server.port", "6124",
                    "metrics.internal.query-service.port", "6125");

    /** The first bytes of a connection by TLS. */
    private static final String TLS_HANDSHAKE = "\26\3\1";

    @TempDir private static Path folder;

    private static ClusterPage page;
    private static TestingMachines machines;
    private static TestingFlinkCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        try {
            machines =
                    new TestingMachines(
                            "jm.example",
                            "tm1.example",
                            "tm2.example",
                            "ps1.example",
                            "ps2.example");
        } catch (IOException e) {
            System.out.println("Several machines were not tested: " + e.getMessage());
            abort("no network namespaces: " + e.getMessage());
        }
        page = new ClusterPage("docs/machines.md");
        Path home =
                TestingFlinkCluster.home(new FlinkDistribution().home(), folder.resolve("flink"));
        Map<String, String> settings = new HashMap<>(TestingFlinkCluster.SMALL_TASK_MANAGER);
        settings.put("rest.address", machines.address("jm.example"));
        settings.put("rest.port", "8081");
        // A link that is cut for 3 seconds is felt for up to 8, as TCP waits twice as long each
        // time.
        settings.put("heartbeat.timeout", "20 s");
        settings.putAll(FLINK_PORTS);
        cluster = new TestingFlinkCluster(home, folder.resolve("cluster"), settings);
        String connector = new ClusterPage().command("cp ", "/flink-sql-connector-ps-");
        assertThat(cluster.run("cp", connector).awaitExit(LIMIT)).isZero();
        run("jm.example", page.command("jobmanager.sh start"));
        for (String machine : List.of("tm1.example", "tm2.example")) {
            run(machine, page.command("taskmanager.sh start", machine));
        }
        TestingRows.write(folder.resolve("train.libsvm"));
        cluster.awaitTaskManagers(2);
    }

    @AfterAll
    static void stop() throws Exception {
        try {
            if (cluster != null) {
                cluster.close();
            }
        } finally {
            if (machines != null) {
                machines.close();
            }
        }
    }

    /** Runs a command of the page on a machine, in the foreground. */
    private static ChildProcess run(String machine, String command) throws IOException {
        String here =
                command.replace(".sh start ", ".sh start-foreground ")
                        .replace("/data/", folder + "/");
        return cluster.run(machine, machines.on(machine, here));
    }

    private static void succeeds(ChildProcess process) throws Exception {
        int code = process.awaitExit(LIMIT);
        assertThat(code).withFailMessage(() -> process.tail(60) + "\n" + cluster.logs()).isZero();
    }

    private static ModelValues trainedLocally(String epochs) throws Exception {
        Path model = folder.resolve("local-" + epochs);
        TrainOnFile.main(
                new String[] {
                    "--input",
                    folder.resolve("train.libsvm").toString(),
                    "--model",
                    model.toString(),
                    "--epochs",
                    epochs,
                    "--servers",
                    "2",
                    "--workers",
                    "2"
                });
        return ModelValues.read(model);
    }

    private static void eventually(Callable<Boolean> condition, String what) throws Exception {
        Polling.await(LIMIT, condition, () -> what + "\n" + cluster.logs());
    }

    @Test
    void trainsWithServersInTaskManagersAndShowsNothingOnTheWay() throws Exception {
        Path seen = folder.resolve("seen-inside");
        machines.capture("tm2.example", seen, FLINK_PORTS.values().toArray(String[]::new));
        String command =
                page.command("bin/flink run", "--servers").replace("/data/model ", "/data/in ")
                        + " --model-name clicks";
        ChildProcess run = run("jm.example", command);
        succeeds(run);
        assertThat(cluster.rest().placesOfWorkers(run.await(JOB, LIMIT))).hasSize(2);
        assertThat(ModelValues.read(folder.resolve("in"))).isEqualTo(trainedLocally("3"));
        assertThat(Files.size(seen)).isGreaterThan(100_000);
        assertThat(Files.readString(seen, StandardCharsets.ISO_8859_1))
                .contains(TLS_HANDSHAKE)
                .doesNotContain("clicks", "weights");
        assertThat(PrivateKeys.areIn(Files.readAllBytes(seen))).isFalse();
        assertThat(PrivateKeys.below(folder.resolve("models"))).isEmpty();
        assertThat(PrivateKeys.areIn(cluster.logs().getBytes(StandardCharsets.UTF_8))).isFalse();
        assertShowsNoRows(seen);
    }

    @Test
    void trainsWithAServerOfItsOwnAndShowsNothingOnTheWay() throws Exception {
        succeeds(run("jm.example", page.command("bin/flink-ps keys", "--hosts ps1.example ")));
        Path seen = folder.resolve("seen");
        machines.capture("ps1.example", seen);
        ChildProcess server =
                run("ps1.example", page.command("bin/flink-ps server", "--model-root"));
        try {
            assertThat(server.await(LISTENING, LIMIT)).isEqualTo("ps1.example:7070");
            String command =
                    page.command("bin/flink run", "--remote").replace("/data/model ", "/data/own ");
            succeeds(run("jm.example", command));
        } finally {
            server.kill();
        }
        assertThat(ModelValues.read(folder.resolve("own"))).isEqualTo(trainedLocally("3"));

        String token = Files.readString(folder.resolve("keys/ads.token")).strip();
        assertThat(Files.size(seen)).isGreaterThan(100_000);
        assertThat(Files.readString(seen, StandardCharsets.ISO_8859_1))
                .contains("ps1.example") // the name that a client asks for
                .doesNotContain("clicks", "weights", token.substring(token.indexOf(':') + 1));
        assertShowsNoRows(seen);
    }

    /** What the captures of encrypted traffic are looked through for is there to be found. */
    @Test
    void trainsInClearOnlyIfToldToAndThenShowsAll() throws Exception {
        Path seen = folder.resolve("seen-plain");
        machines.capture("ps1.example", seen);
        String serves =
                page.command("bin/flink-ps server", "--model-root").replaceFirst("--tls-.*", "");
        ChildProcess refused = run("ps1.example", serves);
        assertThat(refused.awaitExit(LIMIT)).isNotZero();
        assertThat(refused.output()).contains("insecure-plaintext");
        ChildProcess server = run("ps1.example", serves + "--insecure-plaintext");
        try {
            assertThat(server.await(LISTENING, LIMIT)).isEqualTo("ps1.example:7070");
            assertThat(server.output()).contains("whoever reaches ");
            String command =
                    page.command("bin/flink run", "--remote")
                            .replace("/data/model ", "/data/clear ")
                            .replaceFirst("--tls-.*", "");
            succeeds(run("jm.example", command));
        } finally {
            server.kill();
        }
        ModelValues trained = trainedLocally("3");
        assertThat(ModelValues.read(folder.resolve("clear"))).isEqualTo(trained);
        assertThat(Files.readString(seen, StandardCharsets.ISO_8859_1))
                .contains("clicks", "weights");
        Set<Integer> keys = keys(trained);
        Set<Integer> values = values(trained);
        assertThat(keys).hasSizeGreaterThan(400);
        assertThat(values).hasSizeGreaterThan(400);
        assertThat(found(seen, keys)).isGreaterThan(keys.size() * 9 / 10);
        assertThat(found(seen, values)).isGreaterThan(values.size() * 9 / 10);
    }

    /** By chance, each of some hundred patterns of 32 bits is met once in 4 GB. */
    private static void assertShowsNoRows(Path seen) throws Exception {
        ModelValues trained = trainedLocally("3");
        assertThat(found(seen, keys(trained))).isLessThan(5);
        assertThat(found(seen, values(trained))).isLessThan(5);
    }

    private static Set<Integer> keys(ModelValues model) {
        return model.table("weights").keySet().stream()
                .map(Long::intValue)
                .filter(key -> key > 1)
                .collect(Collectors.toSet());
    }

    private static Set<Integer> values(ModelValues model) {
        return model.table("weights").values().stream()
                .filter(value -> value != 0)
                .map(Float::floatToRawIntBits)
                .collect(Collectors.toSet());
    }

    /** Counts the numbers of 32 bits, the lowest byte first, that a file has at any place. */
    private static int found(Path file, Set<Integer> numbers) throws IOException {
        Set<Integer> found = new HashSet<>();
        int last = 0;
        for (byte each : Files.readAllBytes(file)) {
            last = last >>> 8 | each << 24;
            if (numbers.contains(last)) {
                found.add(last);
            }
        }
        return found.size();
    }

    @Test
    void trainsOnThreeMachinesFromTheCommandLine() throws Exception {
        ClusterPage readme = new ClusterPage("README.md");
        String keys = readme.command("bin/flink-ps keys");
        succeeds(run("jm.example", apart(keys)));
        String serves = apart(readme.command("bin/flink-ps server"));
        try (ChildProcess first = run("ps1.example", serves);
                ChildProcess second = run("ps2.example", serves.replace("ps1.", "ps2."))) {
            assertThat(first.await(LISTENING, LIMIT)).isEqualTo("ps1.example:7070");
            assertThat(second.await(LISTENING, LIMIT)).isEqualTo("ps2.example:7070");
            String trains = apart(readme.command("bin/flink-ps train"));
            succeeds(run("jm.example", trains));
            succeeds(
                    run(
                            "jm.example",
                            trains.replaceFirst("--remote .*", "--servers 2")
                                    .replace("/data/three-model", "/data/one-model")));
        }
        ModelValues trained = ModelValues.read(folder.resolve("three-model"));
        assertThat(trained.table("weights")).isNotEmpty();
        assertThat(trained).isEqualTo(ModelValues.read(folder.resolve("one-model")));
    }

    /** Keeps what a command writes apart from what those of other tests do. */
    private static String apart(String command) {
        return command.replace("/data/keys", "/data/three-keys")
                .replace("/data/model", "/data/three-model");
    }

    /** Goes by {@code docs/security.md}: trust, then keys, then the old trust; and by a token. */
    @Test
    void goesOnWithKeysOfAnotherAuthority() throws Exception {
        String keys =
                page.command("bin/flink-ps keys", "--hosts ps1.example ")
                        .replace("/data/keys ", "/data/used ");
        succeeds(run("jm.example", keys));
        String serves =
                page.command("bin/flink-ps server", "--model-root")
                        .replace("/data/keys/", "/data/used/");
        ChildProcess server = run("ps1.example", serves);
        try {
            server.await(LISTENING, LIMIT);
            String command = withCheckpoints("--remote", "rotated");
            ChildProcess run = run("jm.example", command.replace("/data/keys/", "/data/used/"));
            String job = run.await(JOB, LIMIT);
            FlinkRest flink = cluster.rest();
            eventually(() -> flink.completedCheckpoints(job) > 0, "there is no checkpoint");

            succeeds(run("jm.example", keys.replace("/data/used ", "/data/fresh ")));
            Path used = folder.resolve("used");
            Path fresh = folder.resolve("fresh");
            String authority = Files.readString(fresh.resolve("ca.pem"));
            Files.writeString(used.resolve("ca.pem"), authority, StandardOpenOption.APPEND);
            for (String file : List.of("server-key.pem", "server.pem", "tokens", "ads.token")) {
                Files.copy(
                        fresh.resolve(file),
                        used.resolve(file),
                        StandardCopyOption.REPLACE_EXISTING);
            }
            Files.writeString(used.resolve("ca.pem"), authority);
            int before = flink.completedCheckpoints(job);
            eventually(() -> flink.completedCheckpoints(job) > before + 1, "it does not go on");
            assertThat(flink.restored(job)).isZero();

            cut("ps1.example", Duration.ofSeconds(30)); // who comes back is asked again
            eventually(() -> flink.restored(job) > 0, "it is not restored");
            succeeds(run);
        } finally {
            server.kill();
        }
        assertThat(ModelValues.read(folder.resolve("rotated"))).isEqualTo(trainedLocally(EPOCHS));
    }

    /** Returns the command that trains for some time, and takes checkpoints. */
    private static String withCheckpoints(String servers, String model) throws IOException {
        return page.command("bin/flink run", servers)
                .replace("/data/model ", "/data/" + model + " ")
                .replace("--epochs 3", "--epochs " + EPOCHS)
                .replace(
                        "/flink run ",
                        "/flink run -Dexecution.checkpointing.interval=1s"
                                + " -Dexecution.checkpointing.dir=file:///data/checkpoints"
                                + " -Dexecution.checkpointing.tolerable-failed-checkpoints=99 ");
    }

    /** Short of the time after which a peer counts as lost, and beyond it. */
    @Test
    void goesOnAfterALinkWasCutAndCountsEachRowOnce() throws Exception {
        ChildProcess run = run("jm.example", withCheckpoints("--servers", "cut"));
        String job = run.await(JOB, LIMIT);
        FlinkRest flink = cluster.rest();
        eventually(() -> flink.completedCheckpoints(job) > 0, "there is no checkpoint");

        cut("tm2.example", Duration.ofSeconds(3));
        int before = flink.completedCheckpoints(job);
        eventually(() -> flink.completedCheckpoints(job) > before + 1, "it does not go on");
        assertThat(flink.restored(job)).isZero();

        cut("tm2.example", Duration.ofSeconds(30));
        eventually(() -> flink.restored(job) > 0, "it is not restored");
        succeeds(run);
        assertThat(ModelValues.read(folder.resolve("cut"))).isEqualTo(trainedLocally(EPOCHS));
    }

    /** A machine that hears others, and is heard by none. */
    @Test
    void goesOnAfterAMachineWasNotHeardAndCountsEachRowOnce() throws Exception {
        ChildProcess run = run("jm.example", withCheckpoints("--servers", "muted"));
        String job = run.await(JOB, LIMIT);
        FlinkRest flink = cluster.rest();
        eventually(() -> flink.completedCheckpoints(job) > 0, "there is no checkpoint");
        assertThat(flink.taskManagers()).isEqualTo(2);
        machines.mute("tm2.example");
        try {
            eventually(() -> flink.failures(job) > 0, "the silence is not noticed");
        } finally {
            machines.unmute("tm2.example");
        }
        eventually(() -> flink.restored(job) > 0, "it is not restored");
        succeeds(run);
        assertThat(ModelValues.read(folder.resolve("muted"))).isEqualTo(trainedLocally(EPOCHS));
    }

    @Test
    void trainsTheSameOverALinkThatIsSlowAndLosesFrames() throws Exception {
        String command =
                page.command("bin/flink run", "--servers").replace("/data/model ", "/data/slow ");
        Path log = folder.resolve("bridge.out");
        try (TestingMachines.Impaired link = machines.impair("tm2.example", .05, .05, log)) {
            assertThat(machines.roundTrip("tm2.example")).isGreaterThan(Duration.ofMillis(100));
            succeeds(run("jm.example", command));
        }
        assertThat(log).content().isEqualTo(TestingMachines.JOINED);
        assertThat(ModelValues.read(folder.resolve("slow"))).isEqualTo(trainedLocally("3"));
    }

    private static void cut(String machine, Duration length) throws Exception {
        assertThat(cluster.rest().taskManagers()).isEqualTo(2);
        machines.unplug(machine);
        Thread.sleep(length.toMillis());
        machines.plug(machine);
    }
}
