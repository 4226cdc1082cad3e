package io.github.flinkps.flink.testing;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.util.MiniClusterPipelineExecutorServiceLoader;
import org.apache.flink.util.CloseableIterator;

/** A Flink of one process, for several jobs, without restarts. */
public final class LocalCluster implements AutoCloseable {
    private static final long LIMIT_SECONDS = 20;

    private final MiniCluster cluster;

    public LocalCluster() {
        this(new Configuration());
    }

    public LocalCluster(Configuration configuration) {
        cluster =
                new MiniCluster(
                        new MiniClusterConfiguration.Builder()
                                .setConfiguration(configuration)
                                .setNumTaskManagers(1)
                                .setNumSlotsPerTaskManager(8)
                                .withRandomPorts()
                                .build());
        try {
            cluster.start();
        } catch (Exception e) {
            throw new IllegalStateException("no MiniCluster", e);
        }
    }

    /** A new environment; jobs that are executed in it run here. */
    public StreamExecutionEnvironment environment(int parallelism) {
        Configuration configuration = new Configuration();
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        MiniClusterPipelineExecutorServiceLoader.updateConfigurationForMiniCluster(
                configuration, List.of(), List.of());
        StreamExecutionEnvironment environment =
                new StreamExecutionEnvironment(
                        new MiniClusterPipelineExecutorServiceLoader(cluster),
                        configuration,
                        LocalCluster.class.getClassLoader());
        environment.setParallelism(parallelism);
        return environment;
    }

    /** Runs a job and returns what the stream held. */
    public static <T> List<T> collect(DataStream<T> stream) throws Exception {
        List<T> all = new ArrayList<>();
        try (CloseableIterator<T> results = stream.executeAndCollect()) {
            results.forEachRemaining(all::add);
        }
        return all;
    }

    /** Cancels a job, and waits until it is. */
    public static void cancel(JobClient job) throws Exception {
        job.cancel().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertThatThrownBy(() -> job.getJobExecutionResult().get(LIMIT_SECONDS, TimeUnit.SECONDS))
                .hasMessageContaining("cancel");
    }

    /** Names of live threads of ours. */
    public static Set<String> ourThreads() {
        Set<String> names = new TreeSet<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.isAlive() && thread.getName().startsWith("flink-ps")) {
                names.add(thread.getName());
            }
        }
        return names;
    }

    @Override
    public void close() throws Exception {
        cluster.close();
    }
}
