package io.github.flinkps.cli;

import io.github.flinkps.testing.Polling;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.util.TestStreamEnvironment;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Lets the commands of a test class run their jobs in one Flink, which all such classes share: the
 * start of one takes longer than most jobs. To the commands it is a cluster that runs them.
 */
final class SharedFlink implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    private static final int SLOTS = 8;

    private record Cluster(MiniCluster flink) implements AutoCloseable {
        static Cluster start(Object key) {
            MiniCluster flink =
                    new MiniCluster(
                            new MiniClusterConfiguration.Builder()
                                    .setConfiguration(new Configuration())
                                    .setNumTaskManagers(1)
                                    .setNumSlotsPerTaskManager(SLOTS)
                                    .withRandomPorts()
                                    .build());
            try {
                flink.start();
            } catch (Exception e) {
                throw new IllegalStateException("no MiniCluster", e);
            }
            return new Cluster(flink);
        }

        @Override
        public void close() throws Exception {
            flink.close();
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        Cluster cluster =
                context.getRoot()
                        .getStore(Namespace.create(SharedFlink.class))
                        .getOrComputeIfAbsent("cluster", Cluster::start, Cluster.class);
        TestStreamEnvironment.setAsContext(cluster.flink(), 1, List.of(), List.of());
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        Polling.awaitNoThread("SourceCoordinator");
    }

    @Override
    public void afterAll(ExtensionContext context) {
        TestStreamEnvironment.unsetAsContext();
    }
}
