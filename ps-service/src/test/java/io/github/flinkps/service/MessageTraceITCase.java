package io.github.flinkps.service;

import static io.github.flinkps.service.TestingCluster.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.Property;
import org.junit.jupiter.api.Test;

class MessageTraceITCase {
    private static final String LOGGER = "io.github.flinkps.messages";

    /** Keeps the lines it is given. */
    private static final class Lines extends AbstractAppender {
        private final List<String> lines = new CopyOnWriteArrayList<>();

        Lines() {
            super("lines", null, null, true, Property.EMPTY_ARRAY);
        }

        @Override
        public void append(LogEvent event) {
            lines.add(event.getMessage().getFormattedMessage());
        }
    }

    @Test
    void aLinePerMessageTellsApiIdsSizesAndTime() {
        LoggerContext context = (LoggerContext) LogManager.getContext(false);
        Lines lines = new Lines();
        lines.start();
        LoggerConfig config = new LoggerConfig(LOGGER, Level.TRACE, false);
        config.addAppender(lines, Level.TRACE, null);
        context.getConfiguration().addLogger(LOGGER, config);
        context.updateLoggers();
        try (TestingCluster cluster = TestingCluster.of(1, false)) {
            ModelSession worker = cluster.worker("m", 0, 1, ConsistencySpec.bsp());
            get(worker.createTable(TableSpec.dense("t", 8, 1, UpdateSpec.of("add"))));
            get(
                    worker.exchange()
                            .pushRange("t", 0, 8, new float[8], 1)
                            .clock()
                            .pullRange("t", 0, 8, new float[8])
                            .send());
        } finally {
            context.getConfiguration().removeLogger(LOGGER);
            context.updateLoggers();
        }
        assertThat(lines.lines)
                .anyMatch(line -> line.startsWith("CREATE_TABLE id="))
                .anyMatch(
                        line ->
                                line.matches(
                                        "EXCHANGE session=\\d+ sequence=0 clock=1 pushes=1 pulls=1"
                                                + " id=\\d+ peer=.+ bytes=\\d+ control=\\d+"
                                                + " timeoutMillis=\\d+ handledMicros=\\d+"));
    }
}
