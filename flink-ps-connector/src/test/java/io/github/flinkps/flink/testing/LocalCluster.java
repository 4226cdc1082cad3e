package io.github.flinkps.flink.testing;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.flink.training.scoring.ScoredBatch;
import io.github.flinkps.flink.training.scoring.ScoredRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.checkpoint.AbstractCheckpointStats;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStats;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.executiongraph.ErrorInfo;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.util.MiniClusterPipelineExecutorServiceLoader;
import org.apache.flink.util.CloseableIterator;

/**
 * A Flink of one process, for several jobs, without restarts. Starts another TaskManager in the
 * place of one that Flink ends by itself, as it does when a sink that collects is cancelled before
 * it has opened.
 */
public final class LocalCluster implements AutoCloseable {
    private static final long LIMIT_SECONDS = 20;
    private static final long LOOK_MILLIS = 500;

    /** How often fewer TaskManagers are seen before others are started. */
    private static final int PATIENCE = 4;

    private final MiniCluster cluster;
    private final int taskManagers;
    private final Thread watch = new Thread(this::watch, "watch over TaskManagers");
    private int missing;

    public LocalCluster() {
        this(new Configuration());
    }

    public LocalCluster(Configuration configuration) {
        this(configuration, 1, 8);
    }

    /**
     * @param taskManagers their number
     * @param slots of each TaskManager
     */
    public LocalCluster(Configuration configuration, int taskManagers, int slots) {
        cluster =
                new MiniCluster(
                        new MiniClusterConfiguration.Builder()
                                .setConfiguration(configuration)
                                .setNumTaskManagers(taskManagers)
                                .setNumSlotsPerTaskManager(slots)
                                .withRandomPorts()
                                .build());
        try {
            cluster.start();
        } catch (Exception e) {
            throw new IllegalStateException("no MiniCluster", e);
        }
        this.taskManagers = taskManagers;
        watch.setDaemon(true);
        watch.start();
    }

    private void watch() {
        try {
            while (true) {
                Thread.sleep(LOOK_MILLIS);
                startMissing();
            }
        } catch (InterruptedException end) {
            // That is the end.
        } catch (Exception e) {
            throw new IllegalStateException("TaskManagers are not watched any more", e);
        }
    }

    private synchronized void startMissing() throws Exception {
        int there =
                cluster.requestClusterOverview()
                        .get(LIMIT_SECONDS, TimeUnit.SECONDS)
                        .getNumTaskManagersConnected();
        missing = there < taskManagers ? missing + 1 : 0;
        if (missing == PATIENCE) {
            cluster.startTaskManager();
            missing = 0;
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

    /** Ends a TaskManager, with all that runs there, and starts another. */
    public synchronized void replaceTaskManager(int index) throws Exception {
        endTaskManager(index);
        cluster.startTaskManager();
        missing = 0;
    }

    /** Ends a TaskManager, with all that runs there. */
    void endTaskManager(int index) throws Exception {
        cluster.terminateTaskManager(index).get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    /** Returns the failure after which a job has last gone on; empty: none. */
    public String lastFailure(JobID job) throws Exception {
        ErrorInfo failure = graph(job).getFailureInfo();
        return failure == null ? "" : failure.getExceptionAsString();
    }

    /** Checkpoints of a job, savepoints among them, that are under way. */
    public int pendingCheckpoints(JobID job) throws Exception {
        return graph(job)
                .getCheckpointStatsSnapshot()
                .getCounts()
                .getNumberOfInProgressCheckpoints();
    }

    /** The completed checkpoints of a job, ascending, as far as Flink remembers. */
    public List<CompletedCheckpointStats> checkpoints(JobID job) throws Exception {
        return graph(job).getCheckpointStatsSnapshot().getHistory().getCheckpoints().stream()
                .filter(CompletedCheckpointStats.class::isInstance)
                .map(CompletedCheckpointStats.class::cast)
                .sorted(Comparator.comparingLong(AbstractCheckpointStats::getCheckpointId))
                .toList();
    }

    private AccessExecutionGraph graph(JobID job) throws Exception {
        return cluster.getExecutionGraph(job).get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    /** Runs a job and returns what the stream held. */
    public static <T> List<T> collect(DataStream<T> stream) throws Exception {
        List<T> all = new ArrayList<>();
        try (CloseableIterator<T> results = stream.executeAndCollect()) {
            results.forEachRemaining(all::add);
        }
        return all;
    }

    /** Returns the scored rows of a stream, in the order of the input. */
    public static List<ScoredRow> collectRows(DataStream<ScoredBatch> stream) throws Exception {
        List<ScoredRow> all = new ArrayList<>();
        for (ScoredBatch batch : collect(stream)) {
            for (int row = 0; row < batch.rows(); row++) {
                all.add(batch.row(row));
            }
        }
        all.sort(Comparator.comparingLong(ScoredRow::block).thenComparingLong(ScoredRow::row));
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
        watch.interrupt();
        watch.join();
        cluster.close();
    }
}
