package io.github.flinkps.examples.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.examples.kafka.TestingKafka;
import io.github.flinkps.examples.kafka.TopicWriter;
import io.github.flinkps.flink.service.ServiceAddress;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.testing.ModelValues;
import io.github.flinkps.testing.Polling;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real cluster that trains from a topic of a real Kafka. TaskManagers, with the servers in them,
 * have addresses of their own. They and the broker are killed; records are counted once.
 */
@EnabledIfSystemProperty(
        named = "packaged",
        matches = "true",
        disabledReason = "runs after packaging, with mvn verify")
@Timeout(600)
class KafkaClusterITCase {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Pattern SUBMITTED = Pattern.compile("Job ID: (\\w{32})");
    private static final Pattern SAVEPOINT = Pattern.compile("Savepoint completed. Path: (\\S+)");
    private static final String TOPIC = "numbers";

    /** Addresses of this machine that stand for other machines: servers encrypt there. */
    private static final List<String> HOSTS = List.of("127.0.0.2", "127.0.0.3");

    @TempDir private Path folder;

    private TestingKafka kafka;
    private TestingFlinkCluster cluster;

    /** Adds what reads the topic, and the model that counts, to the folder of jars of a Flink. */
    private static void addJars(Path lib) throws Exception {
        for (String name :
                List.of(
                        "org.apache.flink.connector.kafka.source.KafkaSource",
                        "org.apache.kafka.clients.consumer.Consumer")) {
            Path jar =
                    Path.of(
                            Class.forName(name)
                                    .getProtectionDomain()
                                    .getCodeSource()
                                    .getLocation()
                                    .toURI());
            Files.copy(jar, lib.resolve(jar.getFileName()));
        }
        CountingJar.addTo(lib);
    }

    private ChildProcess succeeds(ChildProcess process) throws Exception {
        int code = process.awaitExit(LIMIT);
        assertThat(code).withFailMessage(() -> process.tail(60) + "\n" + cluster.logs()).isZero();
        assertThat(process.output()).doesNotContain("[ERROR]");
        return process;
    }

    private void eventually(Callable<Boolean> condition, String what) throws Exception {
        Polling.await(LIMIT, condition, () -> what + "\n" + cluster.logs());
    }

    /** Submits a statement that trains from the topic, and returns its job. */
    private String train(int servers, String... settings) throws Exception {
        List<String> statements = new ArrayList<>(List.of(settings));
        statements.add(kafka.sqlTable(TOPIC));
        statements.add(
                "CREATE CATALOG ps WITH ('type' = 'flink-ps', 'model-root' = '%s')"
                        .formatted(folder.resolve("models").toUri()));
        statements.add("CREATE DATABASE IF NOT EXISTS ps.db");
        statements.add(
                "CREATE TABLE IF NOT EXISTS ps.db.counted (y INT, n ARRAY<BIGINT>) WITH ('label' ="
                        + " 'y', 'algorithm' = 'counting', 'batch-size' = '64')");
        statements.add(
                ("INSERT INTO ps.db.counted /*+ OPTIONS('servers' = '%d', 'workers' = '2') */"
                                + " SELECT 0, ARRAY[CAST(line AS BIGINT)] FROM records")
                        .formatted(servers));
        Path file = Files.createTempFile(folder, "", ".sql");
        Files.writeString(file, String.join(";\n", statements) + ";\n");
        String command =
                "$FLINK_HOME/bin/sql-client.sh -hist " + folder.resolve("history") + " -f " + file;
        return succeeds(cluster.run("sql", command)).await(SUBMITTED, LIMIT);
    }

    private void awaitCheckpoints(String job) throws Exception {
        FlinkRest flink = cluster.rest();
        int before = flink.completedCheckpoints(job);
        String[] failure = {""};
        Polling.await(
                LIMIT,
                () -> {
                    failure[0] = flink.lastFailure(job);
                    return flink.completedCheckpoints(job) > before + 1;
                },
                () -> "no checkpoints after " + before + "; " + failure[0] + cluster.logs());
    }

    /**
     * Returns the addresses of the TaskManagers that servers are in. Checks that each server
     * encrypts, and that it, as all else of its process, listens on that address only.
     */
    private Set<String> hostsOfServers(List<ChildProcess> taskManagers) throws Exception {
        String model = folder.resolve("models/db/counted").toString();
        Set<String> hosts = new TreeSet<>();
        for (ServiceAddress job : ServiceRegistry.live(model, System.currentTimeMillis())) {
            for (String server : job.addresses()) {
                String[] address = server.substring(0, server.indexOf('#')).split(":");
                String host = address[0];
                assertThat(host).isIn(HOSTS);
                assertThat(taskManagers.get(HOSTS.indexOf(host)).listening())
                        .contains(String.join(":", address))
                        .allMatch(each -> each.startsWith(host + ":"));
                beginsTls(host, Integer.parseInt(address[1]));
                hosts.add(host);
            }
        }
        return hosts;
    }

    /** Goes through a handshake as one who trusts any server, which fails without TLS. */
    private static void beginsTls(String host, int port) throws Exception {
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(host, port)) {
            socket.setSoTimeout((int) LIMIT.toMillis());
            socket.startHandshake();
        }
    }

    private String stop(String options, String job) throws Exception {
        String command = "$FLINK_HOME/bin/flink stop %s --savepointPath %s %s";
        String savepoints = folder.resolve("savepoints").toString();
        return succeeds(cluster.run("stop", command.formatted(options, savepoints, job)))
                .await(SAVEPOINT, LIMIT);
    }

    private Map<Long, Float> trained(String table) throws Exception {
        Path versions = folder.resolve("models/db/counted/versions");
        try (Stream<Path> all = Files.list(versions)) {
            return ModelValues.read(all.max(Comparator.naturalOrder()).orElseThrow(), table);
        }
    }

    @Test
    void countsEachRecordOnceWhicheverProcessIsKilled() throws Exception {
        Path home =
                TestingFlinkCluster.home(new FlinkDistribution().home(), folder.resolve("flink"));
        TestingFlinkCluster.addSqlGateway(home);
        addJars(home.resolve("lib"));
        Map<String, String> settings = new HashMap<>(TestingFlinkCluster.SMALL_TASK_MANAGER);
        settings.put("execution.checkpointing.interval", "1 s");
        settings.put("execution.checkpointing.dir", folder.resolve("checkpoints").toUri() + "");
        settings.put("execution.checkpointing.tolerable-failed-checkpoints", "1000");
        settings.put("restart-strategy.type", "fixed-delay");
        settings.put("restart-strategy.fixed-delay.attempts", "100");
        settings.put("parallelism.default", "2");
        settings.put("cluster.evenly-spread-out-slots", "true");
        try (TestingFlinkCluster flink =
                        new TestingFlinkCluster(home, folder.resolve("session"), settings);
                TestingKafka broker = new TestingKafka(folder);
                KafkaProducer<String, String> producer = broker.producer()) {
            cluster = flink;
            kafka = broker;
            String connector = new ClusterPage().command("cp ", "/flink-sql-connector-ps-");
            succeeds(flink.run("cp", connector));
            flink.startJobManager();
            List<ChildProcess> taskManagers = new ArrayList<>();
            for (String host : HOSTS) {
                taskManagers.add(flink.startTaskManager(2, host));
            }
            flink.awaitTaskManagers(HOSTS.size());
            kafka.createTopic(TOPIC, TopicWriter.PARTITIONS);
            TopicWriter writer = new TopicWriter(producer, TOPIC);
            writer.start();
            long rows = trainWhileProcessesAreKilled(taskManagers, writer);
            assertThat(rows).isGreaterThan(1000);
            assertThat(trained("total")).containsEntry(0L, (float) rows);
            assertThat(trained("own")).hasSize((int) rows);
            assertThat(trained("own").values()).containsOnly(1f);
        }
    }

    /** Returns how many rows were written. */
    private long trainWhileProcessesAreKilled(List<ChildProcess> taskManagers, TopicWriter writer)
            throws Exception {
        FlinkRest flink = cluster.rest();
        String job = train(2);
        awaitCheckpoints(job);
        assertThat(hostsOfServers(taskManagers)).containsExactlyElementsOf(HOSTS);
        for (int each = 0; each < HOSTS.size(); each++) {
            int restored = flink.restored(job);
            taskManagers.get(each).kill();
            taskManagers.set(each, cluster.startTaskManager(2, HOSTS.get(each)));
            eventually(() -> flink.restored(job) > restored, "it is not restored");
            awaitCheckpoints(job);
            assertThat(hostsOfServers(taskManagers)).isNotEmpty();
        }
        kafka.kill();
        kafka.start();
        awaitCheckpoints(job);

        String savepoint = stop("", job);
        String other = train(3, "SET 'execution.savepoint.path' = '" + savepoint + "'");
        awaitCheckpoints(other);
        assertThat(flink.restored(other)).isOne();
        assertThat(hostsOfServers(taskManagers)).containsExactlyElementsOf(HOSTS);
        long rows = writer.end();
        eventually(
                () -> kafka.hasReadAll(TOPIC, TOPIC, TopicWriter.PARTITIONS),
                "the group has not committed all offsets");
        stop("--drain", other);
        eventually(() -> flink.jobState(other).equals("FINISHED"), "it goes on");
        return rows;
    }
}
