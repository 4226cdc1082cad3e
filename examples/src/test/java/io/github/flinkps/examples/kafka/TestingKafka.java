package io.github.flinkps.examples.kafka;

import io.github.flinkps.testing.Polling;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;

/** A Kafka of one broker on loopback, a process of its own, so that it can be killed. */
public final class TestingKafka implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final long CALL_SECONDS = 30;
    private static final String CLUSTER_ID = "4L6g3nShT-eMCtK--X86sw";

    private final Path folder;
    private final Path settings;
    private final String address;
    private Process broker;

    /**
     * Formats its storage and starts it.
     *
     * @param folder for all it writes
     */
    public TestingKafka(Path folder) throws Exception {
        this.folder = folder;
        int port;
        int controller;
        try (ServerSocket one = new ServerSocket(0);
                ServerSocket two = new ServerSocket(0)) {
            port = one.getLocalPort();
            controller = two.getLocalPort();
        }
        address = "127.0.0.1:" + port;
        settings = folder.resolve("server.properties");
        Files.writeString(
                settings,
                """
                process.roles=broker,controller
                node.id=1
                controller.quorum.voters=1@127.0.0.1:%d
                listeners=PLAINTEXT://%s,CONTROLLER://127.0.0.1:%d
                advertised.listeners=PLAINTEXT://%s
                controller.listener.names=CONTROLLER
                listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
                log.dirs=%s
                offsets.topic.replication.factor=1
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                auto.create.topics.enable=false
                broker.session.timeout.ms=2000
                broker.heartbeat.interval.ms=500
                """
                        .formatted(
                                controller, address, controller, address, folder.resolve("log")));
        Process format = run("format", "kafka.tools.StorageTool", "format", "-t", CLUSTER_ID, "-c");
        if (!format.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS) || format.exitValue() != 0) {
            throw new AssertionError("Kafka's storage is not formatted:\n" + log("format"));
        }
        start();
    }

    /** Runs a program of Kafka, whose last argument is its settings. */
    private Process run(String name, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
        command.add(System.getProperty("java.class.path"));
        command.addAll(List.of(arguments));
        command.add(settings.toString());
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve(name + ".out").toFile()))
                .start();
    }

    private String log(String name) throws IOException {
        byte[] all = Files.readAllBytes(folder.resolve(name + ".out"));
        int from = Math.max(0, all.length - 4000);
        return new String(all, from, all.length - from, StandardCharsets.UTF_8);
    }

    /** Starts the broker, on the storage it had before; returns when it answers. */
    public void start() throws Exception {
        broker = run("broker", "kafka.Kafka");
        Polling.await(
                LIMIT,
                () -> {
                    if (!broker.isAlive()) {
                        throw new AssertionError("Kafka has ended:\n" + log("broker"));
                    }
                    return answers();
                },
                () -> "Kafka does not answer");
    }

    private boolean answers() throws InterruptedException {
        try (Admin admin = admin()) {
            return !admin.describeCluster().nodes().get(1, TimeUnit.SECONDS).isEmpty();
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }

    /** Ends the broker by SIGKILL. */
    public void kill() throws InterruptedException {
        broker.destroyForcibly().waitFor();
    }

    /** Returns the address that clients begin with. */
    public String address() {
        return address;
    }

    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", address));
    }

    /** Creates a topic that is kept once; returns when each partition has its leader. */
    public void createTopic(String topic, int partitions) throws Exception {
        try (Admin admin = admin()) {
            admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1)))
                    .all()
                    .get(CALL_SECONDS, TimeUnit.SECONDS);
            ends(admin, topic, partitions);
        }
    }

    /** Returns the offsets behind the last records, which the leaders of partitions know. */
    private static Map<TopicPartition, ListOffsetsResultInfo> ends(
            Admin admin, String topic, int partitions) throws Exception {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            wanted.put(new TopicPartition(topic, partition), OffsetSpec.latest());
        }
        return admin.listOffsets(wanted).all().get(CALL_SECONDS, TimeUnit.SECONDS);
    }

    /** Returns the statement of table {@code records}, whose one column has a topic's lines. */
    public String sqlTable(String topic) {
        return """
        CREATE TEMPORARY TABLE records (line STRING) WITH (
            'connector' = 'kafka',
            'topic' = '%s',
            'properties.bootstrap.servers' = '%s',
            'properties.group.id' = '%s',
            'scan.startup.mode' = 'earliest-offset',
            'format' = 'raw'
        )\
        """
                .formatted(topic, address, topic);
    }

    /** Returns a producer that writes each record once, whatever becomes of the broker. */
    public KafkaProducer<String, String> producer() {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", address);
        properties.put("acks", "all");
        properties.put("enable.idempotence", "true");
        return new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer());
    }

    static ProducerRecord<String, String> to(String topic, int partition, String value) {
        return new ProducerRecord<>(topic, partition, null, value);
    }

    /** Returns whether a group has committed all that a topic holds. */
    public boolean hasReadAll(String group, String topic, int partitions) throws Exception {
        try (Admin admin = admin()) {
            Map<TopicPartition, ListOffsetsResultInfo> ends = ends(admin, topic, partitions);
            Map<TopicPartition, OffsetAndMetadata> read =
                    admin.listConsumerGroupOffsets(group)
                            .partitionsToOffsetAndMetadata()
                            .get(CALL_SECONDS, TimeUnit.SECONDS);
            return ends.entrySet().stream()
                    .allMatch(
                            end ->
                                    end.getValue().offset() == 0
                                            || read.containsKey(end.getKey())
                                                    && read.get(end.getKey()).offset()
                                                            == end.getValue().offset());
        }
    }

    @Override
    public void close() throws Exception {
        kill();
    }
}
