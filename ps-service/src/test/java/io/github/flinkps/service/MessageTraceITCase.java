package io.github.flinkps.service;

import static io.github.flinkps.service.TestingCluster.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.testing.LogLines;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.Test;

class MessageTraceITCase {
    @Test
    void aLinePerMessageTellsApiIdsSizesAndTime() {
        try (LogLines lines = LogLines.of("io.github.flinkps.messages", Level.TRACE)) {
            exchange();
            assertThat(lines.said())
                    .anyMatch(line -> line.startsWith("CREATE_TABLE id="))
                    .anyMatch(
                            line ->
                                    line.matches(
                                            "EXCHANGE session=\\d+ sequence=0 clock=1 pushes=1"
                                                + " pulls=1 id=\\d+ peer=.+ bytes=\\d+ control=\\d+"
                                                + " timeoutMillis=\\d+ handledMicros=\\d+"));
        }
    }

    private static void exchange() {
        try (TestingCluster cluster = TestingCluster.of(1, false)) {
            ModelSession worker = cluster.worker("m", 0, 1, ConsistencySpec.bsp());
            get(worker.createTable(TableSpec.dense("t", 8, 1, UpdateSpec.of("add"))));
            get(
                    worker.exchange()
                            .pushRange("t", 0, 8, new float[8], 1)
                            .clock()
                            .pullRange("t", 0, 8, new float[8])
                            .send());
        }
    }
}
