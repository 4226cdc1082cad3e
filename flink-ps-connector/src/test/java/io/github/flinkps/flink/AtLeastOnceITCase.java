package io.github.flinkps.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.data.RowBatchTypeInfo;
import io.github.flinkps.flink.options.Guarantee;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.testing.LocalCluster;
import io.github.flinkps.flink.testing.RetainingFilter;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.flink.testing.SlowMap;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that lose no record, and count some more than once. */
@Timeout(180)
class AtLeastOnceITCase {
    private static final int BATCHES = 1000;
    private static final int FAILURES = 3;
    @RegisterExtension private static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir Path root;

    private static ParameterServer server() {
        return ParameterServer.start(ServerConfig.defaults(), new LocalModelStorage());
    }

    /** Runs it to its end; the model that it saves. */
    private String run(CountingJob job) throws Exception {
        String directory = root.resolve("model").toString();
        job.job.set(PsOptions.MODEL_OUTPUT, directory);
        LocalCluster.collect(job.job.start().reports());
        return directory;
    }

    private static void assertNothingLost(String directory) {
        int rows = BATCHES * CountingJob.ROWS;
        Collection<float[]> own = CountingJob.table(directory, "own", 1).values();
        assertThat(own).hasSize(rows);
        assertThat(own).allSatisfy(row -> assertThat(row[0]).isGreaterThanOrEqualTo(1));
        assertThat(CountingJob.table(directory, "total", 1).get(0L)[0])
                .isGreaterThanOrEqualTo(rows);
        Collection<float[]> shared = CountingJob.table(directory, "shared", 2).values();
        assertThat(shared.stream().mapToDouble(row -> row[0]).sum()).isGreaterThanOrEqualTo(rows);
        assertThat(shared.stream().mapToDouble(row -> row[1]).sum())
                .isGreaterThanOrEqualTo(2 * rows);
    }

    /** Returns how often rows were counted beyond once; none is lost. */
    private static double doubled(CountingJob job, String directory) {
        assertNothingLost(directory);
        Collection<float[]> own = CountingJob.table(directory, "own", 1).values();
        double more = own.stream().mapToDouble(row -> row[0] - 1).sum();
        System.out.println(more + " doubled by " + job.failures.happened() + " failures");
        return more;
    }

    /** Each failure comes when mini-batches have been pushed since the checkpoint. */
    @ParameterizedTest
    @CsvSource({"BSP,false", "ASP,false", "ASP,true"})
    void serversThatOutliveAFailureKeepWhatTheyHave(ConsistencySpec.Kind kind, boolean retains)
            throws Exception {
        try (ParameterServer one = server();
                ParameterServer two = server()) {
            StreamExecutionEnvironment env = CountingJob.failing(CLUSTER.environment(2), 200);
            CountingJob job =
                    new CountingJob(
                                    env,
                                    root,
                                    kind,
                                    new CountingJob.Input(BATCHES, false, 1),
                                    FAILURES)
                            .over(List.of(one.address(), two.address()));
            job.job.set(PsOptions.GUARANTEE, Guarantee.AT_LEAST_ONCE);
            if (retains) {
                job.job.pushFilter(new RetainingFilter(7));
            }
            job.failures.afterTraining(10);
            assertThat(doubled(job, run(job))).isPositive();
            assertThat(job.failures.happened()).isPositive();
        }
    }

    /**
     * Embedded servers end with the job: the model goes back to the cut, as nothing newer is left.
     */
    @Test
    void embeddedServersGoBackToTheCut() throws Exception {
        StreamExecutionEnvironment env = CountingJob.failing(CLUSTER.environment(2), 100);
        CountingJob job =
                new CountingJob(
                        env,
                        root,
                        ConsistencySpec.Kind.ASP,
                        new CountingJob.Input(BATCHES, false, 1),
                        FAILURES);
        job.job.set(PsOptions.GUARANTEE, Guarantee.AT_LEAST_ONCE);
        assertThat(doubled(job, run(job))).isZero();
        assertThat(job.failures.happened()).isPositive();
    }

    /** Records overtake barriers, are in the cut and come again. */
    @Test
    void barriersThatAreNotAlignedLoseNothing() throws Exception {
        StreamExecutionEnvironment env = CountingJob.failing(CLUSTER.environment(2), 50);
        env.getCheckpointConfig().setCheckpointingConsistencyMode(CheckpointingMode.AT_LEAST_ONCE);
        CountingJob job =
                new CountingJob(
                        env,
                        root,
                        ConsistencySpec.Kind.ASP,
                        new CountingJob.Input(BATCHES, true, 1),
                        FAILURES,
                        rows ->
                                rows.map(new SlowMap(1))
                                        .returns(RowBatchTypeInfo.INSTANCE)
                                        .rebalance());
        job.job.set(PsOptions.BUFFER_ROWS, 20);
        assertNothingLost(run(job));
        assertThat(job.failures.happened()).isPositive();
    }

    /** All that was learned until then is lost; the source begins anew, so that no record is. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void withoutCheckpointsAllBeginsAgain(boolean remote) throws Exception {
        try (ParameterServer server = server()) {
            StreamExecutionEnvironment env = CLUSTER.environment(2);
            Configuration restarts = new Configuration();
            restarts.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
            env.configure(restarts);
            CountingJob job =
                    new CountingJob(
                            env,
                            root,
                            ConsistencySpec.Kind.BSP,
                            new CountingJob.Input(BATCHES, true, 1),
                            1);
            job = remote ? job.over(List.of(server.address())) : job;
            job.failures.completed(0); // there is none to wait for
            job.failures.afterTraining(50);
            String directory = root.resolve("model").toString();
            job.job.set(PsOptions.MODEL_OUTPUT, directory).start();
            env.execute();
            assertThat(doubled(job, directory)).isZero();
            assertThat(job.failures.happened()).isEqualTo(1);
            assertThat(job.failures.restored()).isEmpty();
        }
    }

    @Test
    void whatCannotBeKeptIsRefused() {
        StreamExecutionEnvironment without = CLUSTER.environment(1);
        assertThatThrownBy(
                        () ->
                                job(without)
                                        .set(PsOptions.GUARANTEE, Guarantee.AT_LEAST_ONCE)
                                        .start())
                .hasMessageContaining("guarantee at-least-once needs checkpoints");
        StreamExecutionEnvironment unaligned = CLUSTER.environment(1).enableCheckpointing(100);
        unaligned
                .getCheckpointConfig()
                .setCheckpointingConsistencyMode(CheckpointingMode.AT_LEAST_ONCE);
        assertThatThrownBy(
                        () ->
                                job(unaligned)
                                        .set(PsOptions.GUARANTEE, Guarantee.EXACTLY_ONCE)
                                        .start())
                .hasMessageContaining("guarantee exactly-once cannot be had");
    }

    private TrainingJob<?> job(StreamExecutionEnvironment env) {
        return new CountingJob(
                        env, root, ConsistencySpec.Kind.ASP, new CountingJob.Input(1, true, 1), 0)
                .job;
    }
}
