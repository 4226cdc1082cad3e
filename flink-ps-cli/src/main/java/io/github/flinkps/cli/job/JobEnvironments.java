package io.github.flinkps.cli.job;

import io.github.flinkps.cli.run.RunScope;
import java.io.IOException;
import java.time.Duration;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Makes the environments in which the jobs of a command run: this process, or the cluster that runs
 * this program.
 */
final class JobEnvironments {
    private static final int BUFFER_BYTES = 32 << 10;

    /** The buffers of each channel, with its share of the floating ones. */
    private static final int BUFFERS_PER_CHANNEL = 6;

    private static final long LEAST_NETWORK = 16L << 20;

    private final RunScope scope;
    private final LocalCluster cluster;

    /**
     * @param scope whose end ends what runs in this process, and removes what Flink leaves in its
     *     temporary folders
     */
    JobEnvironments(RunScope scope) {
        this.scope = scope;
        this.cluster = new LocalCluster(scope);
    }

    /**
     * Returns an environment with just the memory that a job of these sizes needs, and all ports on
     * loopback. In this process later jobs need no more than the first.
     *
     * @param servers in the job, 0 for remote ones
     */
    StreamExecutionEnvironment create(int workers, int servers) throws IOException {
        Configuration configuration = new Configuration();
        long channels = (long) workers * (workers + Math.max(1, servers) + 2);
        MemorySize network =
                new MemorySize(
                        Math.max(LEAST_NETWORK, channels * BUFFERS_PER_CHANNEL * BUFFER_BYTES));
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, network);
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, network);
        configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(8));
        configuration.set(TaskManagerOptions.NUM_TASK_SLOTS, Math.max(workers, servers));
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        configuration.set(PipelineOptions.AUTO_WATERMARK_INTERVAL, Duration.ZERO);
        configuration.set(WebOptions.TMP_DIR, scope.temporaryFolder("flink-ps-").toString());
        configuration.set(CoreOptions.TMP_DIRS, scope.workFolder("flink-ps-").toString());
        configuration.set(RestOptions.BIND_PORT, "0");
        configuration.set(RestOptions.BIND_ADDRESS, "localhost");
        configuration.set(JobManagerOptions.BIND_HOST, "localhost");
        configuration.set(TaskManagerOptions.BIND_HOST, "localhost");
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        if (environment instanceof LocalStreamEnvironment) {
            configuration.set(DeploymentOptions.TARGET, cluster.getName());
            configuration.set(DeploymentOptions.ATTACHED, true);
            environment = new StreamExecutionEnvironment(cluster, configuration, null);
        }
        environment.setParallelism(workers);
        return environment;
    }
}
