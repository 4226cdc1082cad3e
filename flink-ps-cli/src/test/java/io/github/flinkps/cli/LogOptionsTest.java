package io.github.flinkps.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.ConfigurationSource;
import org.apache.logging.log4j.core.config.xml.XmlConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the options with the program's own configuration, which other tests do not have. */
class LogOptionsTest {
    private static Level level() {
        Path file = Path.of("src/main/resources/log4j2.xml").toAbsolutePath();
        XmlConfiguration configuration =
                new XmlConfiguration(
                        new LoggerContext("options"), ConfigurationSource.fromUri(file.toUri()));
        configuration.initialize();
        return configuration.getLoggerConfig("io.github.flinkps.data").getLevel();
    }

    /** Forgets options, also those of earlier commands in this process. */
    @BeforeEach
    @AfterEach
    void forget() {
        System.clearProperty("flink-ps.log");
        System.clearProperty("flink-ps.log.flink");
        System.clearProperty("flink-ps.log.default");
    }

    @Test
    void quietLogsErrorsOnlyUnlessALevelIsAskedFor() {
        assumeTrue(System.getenv("FLINK_PS_LOG") == null);
        assertThat(level()).isEqualTo(Level.WARN);
        TestingCommand.run("evaluate", "--model", "none", "--test", "none", "--quiet");
        assertThat(level()).isEqualTo(Level.ERROR);
        TestingCommand.run(
                "evaluate", "--model", "none", "--test", "none", "--quiet", "--log-level", "info");
        assertThat(level()).isEqualTo(Level.INFO);
    }
}
