package io.github.flinkps.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.client.ClientSecurity;
import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.data.RowBatchTypeInfo;
import io.github.flinkps.flink.testing.TestingRows;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;

/** Jobs make keys where their servers may be for other machines. */
class JobSecurityTest {
    private static ClientSecurity security(StreamExecutionEnvironment environment) {
        return FlinkPs.train(
                        environment.fromData(
                                RowBatchTypeInfo.INSTANCE, TestingRows.batch(0, 1, 10)),
                        LogisticRegression.builder().build())
                .security();
    }

    @Test
    void aJobOfThisProcessMakesNoKeys() {
        assertThat(security(StreamExecutionEnvironment.createLocalEnvironment()).peers()).isNull();
    }

    @Test
    void aTaskManagerThatOthersReachHasKeys() {
        Configuration configuration = new Configuration();
        configuration.set(TaskManagerOptions.HOST, "127.0.0.2");
        assertThat(
                        security(StreamExecutionEnvironment.createLocalEnvironment(configuration))
                                .peers())
                .isNotNull();
    }

    @Test
    void aJobOfAClusterMakesKeys() {
        assertThat(
                        security(
                                        StreamExecutionEnvironment.createRemoteEnvironment(
                                                "localhost", 8081))
                                .peers())
                .isNotNull();
    }
}
