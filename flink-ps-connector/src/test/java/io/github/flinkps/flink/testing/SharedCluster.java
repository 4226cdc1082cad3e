package io.github.flinkps.flink.testing;

import io.github.flinkps.testing.Polling;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A Flink for all tests of a class, in a static field that is registered as an extension. A test
 * that leaves a thread of ours behind fails; its job may end a moment before its tasks and what
 * leads its sources, which may still write into the test's folder.
 */
public final class SharedCluster implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    private final Configuration configuration;
    private LocalCluster cluster;

    public SharedCluster() {
        this(new Configuration());
    }

    public SharedCluster(Configuration configuration) {
        this.configuration = configuration;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        cluster = new LocalCluster(configuration);
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        Polling.await("threads of ours are left", () -> LocalCluster.ourThreads().isEmpty());
        Polling.awaitNoThread("SourceCoordinator");
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        cluster.close();
    }

    /** Returns the cluster that runs the jobs. */
    public LocalCluster cluster() {
        return cluster;
    }

    /** A new environment; jobs that are executed in it run here. */
    public StreamExecutionEnvironment environment(int parallelism) {
        return cluster.environment(parallelism);
    }
}
