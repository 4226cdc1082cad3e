package io.github.flinkps.flink.testing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LocalClusterTest {
    @Test
    void aTaskManagerThatIsLostIsReplaced() throws Exception {
        try (LocalCluster flink = new LocalCluster()) {
            flink.endTaskManager(0);
            assertThat(LocalCluster.collect(flink.environment(1).fromData(1, 2, 3)))
                    .containsExactly(1, 2, 3);
        }
    }
}
