package io.github.flinkps.examples.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.flink.FlinkPs;
import io.github.flinkps.flink.TrainingJob;
import io.github.flinkps.flink.data.OnBadRow;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.testing.CountingModel;
import io.github.flinkps.flink.testing.LocalCluster;
import io.github.flinkps.flink.testing.Savepoints;
import io.github.flinkps.flink.testing.ServerProcess;
import io.github.flinkps.flink.testing.SqlPage;
import io.github.flinkps.flink.testing.TestingFailures;
import io.github.flinkps.testing.ModelValues;
import io.github.flinkps.testing.Polling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.util.function.FunctionWithException;
import org.apache.flink.util.function.ThrowingConsumer;
import org.apache.flink.util.function.ThrowingRunnable;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Models that are trained from topics of a real Kafka. */
@Timeout(300)
class KafkaITCase {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int PARTITIONS = TopicWriter.PARTITIONS;
    private static final int TASK_MANAGERS = 2;

    @TempDir private static Path folder;
    private static TestingKafka kafka;

    @BeforeAll
    static void start() throws Exception {
        kafka = new TestingKafka(folder);
    }

    @AfterAll
    static void stop() throws Exception {
        if (kafka != null) {
            kafka.close();
        }
    }

    private static KafkaSourceBuilder<String> source(String topic) {
        return KafkaSource.<String>builder()
                .setBootstrapServers(kafka.address())
                .setTopics(topic)
                .setGroupId(topic)
                .setStartingOffsets(OffsetsInitializer.earliest())
                .setValueOnlyDeserializer(new SimpleStringSchema());
    }

    /** Counts records, each of which is the number of its own. */
    private static TrainingJob<String> counting(
            StreamExecutionEnvironment env, KafkaSource<String> source, int workers) {
        DataStream<String> records =
                env.fromSource(source, WatermarkStrategy.noWatermarks(), "topic").uid("topic");
        CountingModel model = new CountingModel(TestingFailures.some("kafka", 1, 0));
        return FlinkPs.train(
                        records, (text, row) -> row.add(Long.parseLong(text)).endRow(0f), model)
                .set(PsOptions.MODEL_ROOT, folder.resolve("models").toUri().toString())
                .set(PsOptions.MODEL_NAME, "counted")
                .set(PsOptions.WORKERS, workers)
                .set(PsOptions.BATCH_SIZE, 64);
    }

    private static StreamExecutionEnvironment checkpointing(LocalCluster flink, int parallelism) {
        StreamExecutionEnvironment env = flink.environment(parallelism);
        Configuration configuration = new Configuration();
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 100);
        configuration.set(
                RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(100));
        configuration.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, 1000);
        env.configure(configuration);
        env.enableCheckpointing(500);
        return env;
    }

    private static JobClient launch(StreamExecutionEnvironment env, TrainingJob<String> job)
            throws Exception {
        job.start().reports().sinkTo(new DiscardingSink<>());
        return env.executeAsync();
    }

    private static void awaitCheckpoints(LocalCluster flink, JobClient job, int more)
            throws Exception {
        long[] last = {newest(flink, job)};
        for (int left = more; left > 0; left--) {
            Polling.await(
                    LIMIT,
                    () -> newest(flink, job) > last[0],
                    () -> "no checkpoint after " + last[0]);
            last[0] = newest(flink, job);
        }
    }

    private static long newest(LocalCluster flink, JobClient job) throws Exception {
        return flink.checkpoints(job.getJobID()).stream()
                .mapToLong(checkpoint -> checkpoint.getCheckpointId())
                .max()
                .orElse(0);
    }

    private static List<String> addresses(List<ServerProcess> servers) {
        return servers.stream().map(ServerProcess::address).toList();
    }

    /** TaskManagers with servers, and the broker, are lost; then others go on, more of them. */
    @Test
    void countsEachRecordOnceWhateverIsLost() throws Exception {
        KafkaSource<String> lost = source("lost").build();
        countsEachRecordOnce(
                "lost",
                awaitCheckpoints -> {},
                env -> launch(env, counting(env, lost, 2).set(PsOptions.SERVERS, 2)),
                env -> launch(env, saved("lost", counting(env, lost, 3)).set(PsOptions.SERVERS, 3)),
                () -> folder.resolve("counted-lost"));
    }

    /** The same with servers in processes of their own, which are killed. */
    @Test
    void countsEachRecordOnceThoughServersAreKilled() throws Exception {
        KafkaSource<String> killed = source("killed").build();
        List<ServerProcess> servers = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                servers.add(ServerProcess.start(0));
            }
            countsEachRecordOnce(
                    "killed",
                    killingTwo(servers),
                    env ->
                            launch(
                                    env,
                                    counting(env, killed, 2)
                                            .set(
                                                    PsOptions.REMOTE,
                                                    addresses(servers.subList(0, 2)))),
                    env ->
                            launch(
                                    env,
                                    saved("killed", counting(env, killed, 3))
                                            .set(PsOptions.REMOTE, addresses(servers))),
                    () -> folder.resolve("counted-killed"));
        } finally {
            for (ServerProcess server : servers) {
                server.close();
            }
        }
    }

    private static ThrowingConsumer<ThrowingRunnable<Exception>, Exception> killingTwo(
            List<ServerProcess> servers) {
        return awaitCheckpoints -> {
            for (int each = 0; each < 2; each++) {
                int port = servers.get(each).port();
                servers.get(each).close();
                servers.set(each, ServerProcess.start(port));
                awaitCheckpoints.run();
            }
        };
    }

    private static TrainingJob<String> saved(String topic, TrainingJob<String> job) {
        return job.set(PsOptions.MODEL_OUTPUT, folder.resolve("counted-" + topic).toString());
    }

    /** TaskManagers with servers, and the broker, are lost while a statement of SQL trains. */
    @Test
    void countsEachRecordOnceBySqlWhateverIsLost() throws Exception {
        countsEachRecordOnce(
                "sql",
                awaitCheckpoints -> {},
                env -> insert(env, "sql", "'servers' = '2'"),
                env -> insert(env, "sql", "'servers' = '3'"),
                () -> newestOfSql("sql"));
    }

    /** The same by SQL with servers in processes of their own, which are killed. */
    @Test
    void countsEachRecordOnceBySqlThoughServersAreKilled() throws Exception {
        List<ServerProcess> servers = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                servers.add(ServerProcess.start(0));
            }
            countsEachRecordOnce(
                    "sql-killed",
                    killingTwo(servers),
                    env -> insert(env, "sql-killed", remote(servers.subList(0, 2))),
                    env -> insert(env, "sql-killed", remote(servers)),
                    () -> newestOfSql("sql-killed"));
        } finally {
            for (ServerProcess server : servers) {
                server.close();
            }
        }
    }

    private static String remote(List<ServerProcess> servers) {
        return "'remote' = '" + String.join(";", addresses(servers)) + "'";
    }

    private static JobClient insert(StreamExecutionEnvironment env, String topic, String servers) {
        StreamTableEnvironment sql = StreamTableEnvironment.create(env);
        sql.executeSql(kafka.sqlTable(topic));
        sql.executeSql(
                "CREATE CATALOG ps WITH ('type' = 'flink-ps', 'model-root' = '%s')"
                        .formatted(folder.resolve("models-" + topic).toUri()));
        sql.executeSql("CREATE DATABASE IF NOT EXISTS ps.db");
        sql.executeSql(
                "CREATE TABLE IF NOT EXISTS ps.db.counted (y INT, n ARRAY<BIGINT>) WITH ('label' ="
                        + " 'y', 'algorithm' = 'counting', 'batch-size' = '64')");
        return sql.executeSql(
                        ("INSERT INTO ps.db.counted /*+ OPTIONS(%s) */"
                                        + " SELECT 0, ARRAY[CAST(line AS BIGINT)] FROM records")
                                .formatted(servers))
                .getJobClient()
                .orElseThrow();
    }

    private static Path newestOfSql(String topic) throws IOException {
        Path versions = folder.resolve("models-" + topic + "/db/counted/versions");
        try (Stream<Path> all = Files.list(versions)) {
            return all.max(Comparator.naturalOrder()).orElseThrow();
        }
    }

    private static void countsEachRecordOnce(
            String topic,
            ThrowingConsumer<ThrowingRunnable<Exception>, Exception> more,
            FunctionWithException<StreamExecutionEnvironment, JobClient, Exception> first,
            FunctionWithException<StreamExecutionEnvironment, JobClient, Exception> second,
            Callable<Path> model)
            throws Exception {
        kafka.createTopic(topic, PARTITIONS);
        long rows;
        try (LocalCluster flink = new LocalCluster(new Configuration(), TASK_MANAGERS, 2);
                KafkaProducer<String, String> producer = kafka.producer()) {
            TopicWriter writer = new TopicWriter(producer, topic);
            writer.start();
            JobClient job = first.apply(checkpointing(flink, 2));
            awaitCheckpoints(flink, job, 2);
            for (int each = 0; each < TASK_MANAGERS; each++) {
                flink.replaceTaskManager(each);
                awaitCheckpoints(flink, job, 2);
            }
            more.accept(() -> awaitCheckpoints(flink, job, 2));
            assertThat(flink.lastFailure(job.getJobID())).isNotEmpty();
            kafka.kill();
            Thread.sleep(3000);
            kafka.start();
            awaitCheckpoints(flink, job, 2);
            String savepoint = Savepoints.stop(job, false, folder.resolve("savepoints"));

            StreamExecutionEnvironment scaled = checkpointing(flink, 3);
            Savepoints.goOnFrom(savepoint, scaled);
            JobClient other = second.apply(scaled);
            awaitCheckpoints(flink, other, 2);
            rows = writer.end();
            Polling.await(
                    LIMIT,
                    () -> kafka.hasReadAll(topic, topic, PARTITIONS),
                    () -> "the group has not committed all offsets");
            Savepoints.stop(other, true, folder.resolve("savepoints"));
            other.getJobExecutionResult().get();
        }
        assertThat(rows).isGreaterThan(1000);
        assertThat(ModelValues.read(model.call(), "total")).containsEntry(0L, (float) rows);
        assertThat(ModelValues.read(model.call(), "own")).hasSize((int) rows);
        assertThat(ModelValues.read(model.call(), "own").values()).containsOnly(1f);
    }

    @Test
    void trainsByTheStatementsOfThePage() throws Exception {
        kafka.createTopic("clicks", PARTITIONS);
        try (KafkaProducer<String, String> producer = kafka.producer()) {
            for (int n = 0; n < 2000; n++) {
                String site = List.of("shop", "news", "blog").get(n % 3);
                String row =
                        "{\"clicked\": %s, \"site\": \"%s\", \"price\": %d}"
                                .formatted(n % 3 == 0, site, n % 4);
                producer.send(TestingKafka.to("clicks", n % (PARTITIONS - 1), row));
            }
        }
        SqlPage.of("kafka.md")
                .replace("localhost:9092", kafka.address())
                .replace("file:///tmp/flink-ps-models", folder.resolve("sql").toUri().toString())
                .run(() -> TableEnvironment.create(EnvironmentSettings.inStreamingMode()));
    }

    /** A record that is no row fails the job by name, or is left out. */
    @Test
    void aPoisonedRecordFailsOrIsSkipped() throws Exception {
        String topic = "poisoned";
        kafka.createTopic(topic, PARTITIONS);
        try (KafkaProducer<String, String> producer = kafka.producer()) {
            TopicWriter writer = new TopicWriter(producer, topic);
            for (int row = 0; row < 200; row++) {
                writer.write();
                if (row == 99) {
                    producer.send(TestingKafka.to(topic, 1, "poison"));
                }
            }
            writer.end();
        }
        KafkaSource<String> bounded = source(topic).setBounded(OffsetsInitializer.latest()).build();
        Path model = folder.resolve("unpoisoned");
        try (LocalCluster flink = new LocalCluster()) {
            StreamExecutionEnvironment failing = flink.environment(2);
            JobClient failed = launch(failing, counting(failing, bounded, 2));
            assertThatThrownBy(() -> failed.getJobExecutionResult().get())
                    .hasStackTraceContaining("poison");
            StreamExecutionEnvironment skipping = flink.environment(2);
            TrainingJob<String> job =
                    counting(skipping, bounded, 2)
                            .onBadRow(OnBadRow.SKIP)
                            .set(PsOptions.MODEL_OUTPUT, model.toString());
            assertThat(LocalCluster.collect(job.start().reports()))
                    .extracting(report -> report.skippedRows())
                    .containsOnly(0L, 1L)
                    .contains(1L);
        }
        assertThat(ModelValues.read(model, "total")).containsEntry(0L, 200f);
    }
}
