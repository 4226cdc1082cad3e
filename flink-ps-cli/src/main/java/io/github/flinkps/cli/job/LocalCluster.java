package io.github.flinkps.cli.job;

import io.github.flinkps.cli.run.RunScope;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.flink.client.deployment.executors.LocalExecutor;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.PipelineExecutor;
import org.apache.flink.core.execution.PipelineExecutorFactory;
import org.apache.flink.core.execution.PipelineExecutorServiceLoader;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;

/**
 * Runs jobs in this process, one after the other, in one Flink cluster. Flink's own local
 * environment starts and ends a cluster for each. It is as large as the first job needs, and ends
 * with the scope. Used by one thread.
 */
final class LocalCluster implements PipelineExecutorServiceLoader, PipelineExecutorFactory {
    private final RunScope scope;
    private Shared cluster;

    LocalCluster(RunScope scope) {
        this.scope = scope;
    }

    /** A cluster that jobs neither start again nor end. */
    private static final class Shared extends MiniCluster {
        private boolean started;

        Shared(MiniClusterConfiguration configuration) {
            super(configuration);
        }

        @Override
        public void start() throws Exception {
            if (!started) {
                started = true;
                super.start();
            }
        }

        @Override
        public CompletableFuture<Void> closeAsync() {
            return CompletableFuture.completedFuture(null); // the job that asks is over
        }

        void end(Duration limit) throws Exception {
            super.closeAsync().get(limit.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private MiniCluster cluster(MiniClusterConfiguration configuration) {
        if (cluster == null) {
            Shared created = new Shared(configuration);
            scope.whileRunning(created::end);
            cluster = created;
        }
        return cluster;
    }

    @Override
    public PipelineExecutor getExecutor(Configuration configuration) {
        return LocalExecutor.createWithFactory(configuration, this::cluster);
    }

    @Override
    public PipelineExecutorFactory getExecutorFactory(Configuration configuration) {
        return this;
    }

    @Override
    public Stream<String> getExecutorNames() {
        return Stream.of(getName());
    }

    @Override
    public String getName() {
        return LocalExecutor.NAME;
    }

    @Override
    public boolean isCompatibleWith(Configuration configuration) {
        return true;
    }
}
