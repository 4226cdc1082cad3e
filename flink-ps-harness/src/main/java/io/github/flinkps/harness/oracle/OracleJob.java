package io.github.flinkps.harness.oracle;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.FlinkPs;
import io.github.flinkps.flink.TrainingJob;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.options.RemoteSecurity;
import io.github.flinkps.flink.service.ArrowModelArchive;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** Submits the jobs of a run. */
final class OracleJob {
    /** Numbers that are counted. */
    static final int NUMBERS = 6_000;

    /** Rows of a mini-batch; no divisor of what readers read. */
    private static final int BATCH = 13;

    private static final int RETAINED = 3;
    private static final Duration INTERVAL = Duration.ofMillis(300);
    private static final Duration CHECKPOINT_TIMEOUT = Duration.ofSeconds(4);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final OraclePlan plan;
    private final OracleKind kind;
    private final Path folder;
    private final OracleHooks hooks;
    private final OracleCluster cluster;

    /**
     * @param folder of the run
     */
    OracleJob(
            OraclePlan plan,
            OracleKind kind,
            Path folder,
            OracleHooks hooks,
            OracleCluster cluster) {
        this.plan = plan;
        this.kind = kind;
        this.folder = folder;
        this.hooks = hooks;
        this.cluster = cluster;
    }

    /** Returns a time that is longer than a checkpoint may take. */
    static Duration beyondCheckpointTimeout() {
        return CHECKPOINT_TIMEOUT.plusMillis(500);
    }

    String modelName() {
        return "counts-" + plan.seed();
    }

    /** Returns the folder of the model's cuts. */
    Path modelFolder() {
        return folder.resolve(OracleStorage.MODELS).resolve("default").resolve(modelName());
    }

    /** Returns the folder where the model is saved at the end. */
    Path output() {
        return folder.resolve("saved");
    }

    /**
     * Submits a job.
     *
     * @param remote addresses of servers, none for such in the job
     * @param savepoint to go on from, or null
     */
    JobClient submit(OraclePlan.Scale scale, List<String> remote, String savepoint)
            throws Exception {
        StreamExecutionEnvironment env = environment(savepoint);
        env.setParallelism(scale.workers());
        DataStream<Long> numbers =
                env.fromSource(
                                new OracleSource(NUMBERS, plan.bounded()),
                                WatermarkStrategy.noWatermarks(),
                                "numbers",
                                Types.LONG)
                        .uid("oracle-numbers")
                        .transform(
                                "gate",
                                Types.LONG,
                                new OracleGate(hooks, NUMBERS, plan.readsOnce()))
                        .uid("oracle-gate");
        TrainingJob<Long> job =
                FlinkPs.train(numbers, new OracleRows(hooks), new OracleModel(hooks, plan.epochs()))
                        .set(PsOptions.MODEL_NAME, modelName())
                        .set(PsOptions.MODEL_ROOT, folder.resolve(OracleStorage.MODELS).toString())
                        .set(PsOptions.MODEL_OUTPUT, output().toUri().toString())
                        .set(PsOptions.WORKERS, scale.workers())
                        .set(PsOptions.BATCH_SIZE, BATCH)
                        .set(PsOptions.EPOCHS, plan.epochs())
                        .set(PsOptions.LINGER, Duration.ofMillis(200))
                        .set(PsOptions.CONSISTENCY, plan.consistency())
                        .set(PsOptions.TIMEOUT, TIMEOUT)
                        .archive(
                                new OracleArchive(
                                        new ArrowModelArchive(
                                                modelName(), "oracle-counts", Map.of(), ""),
                                        hooks));
        if (kind.checkpoints()) {
            job.set(PsOptions.GUARANTEE, kind.guarantee());
        }
        if (plan.retains()) {
            job.pushFilter(new OracleFilter());
        }
        if (plan.consistency() != ConsistencySpec.Kind.BSP) {
            job.set(PsOptions.PREFETCH, 2);
        }
        if (plan.consistency() == ConsistencySpec.Kind.SSP) {
            job.set(PsOptions.STALENESS, 2);
        }
        if (remote.isEmpty()) {
            job.set(PsOptions.SERVERS, scale.servers()).backend(new OracleBackend());
        } else {
            job.set(PsOptions.REMOTE, remote);
            Map<String, String> files = cluster.network().ofJobs();
            RemoteSecurity.OPTIONS.stream()
                    .filter(option -> files.containsKey(option.key()))
                    .forEach(option -> job.set(option, files.get(option.key())));
        }
        job.start().reports().sinkTo(new DiscardingSink<>());
        return env.executeAsync("oracle seed " + plan.seed());
    }

    private StreamExecutionEnvironment environment(String savepoint) {
        Configuration configuration = new Configuration();
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(
                RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, Integer.MAX_VALUE);
        configuration.set(
                RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(200));
        if (kind.checkpoints()) {
            checkpointing(configuration);
        }
        if (savepoint != null) {
            configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
        }
        configuration.set(StateBackendOptions.STATE_BACKEND, OracleStateFactory.class.getName());
        configuration.set(OracleStateFactory.HOOKS, hooks.toString());
        return StreamExecutionEnvironment.createRemoteEnvironment(
                cluster.rest().host(), cluster.rest().port(), configuration);
    }

    private void checkpointing(Configuration configuration) {
        configuration.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, 1_000);
        configuration.set(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, RETAINED);
        configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, INTERVAL);
        configuration.set(CheckpointingOptions.CHECKPOINTING_TIMEOUT, CHECKPOINT_TIMEOUT);
        configuration.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                folder.resolve("checkpoints").toUri().toString());
    }
}
