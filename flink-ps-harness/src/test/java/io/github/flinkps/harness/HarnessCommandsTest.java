package io.github.flinkps.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.cli.TestingCommand;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands of this module as {@code flink-ps} finds them. */
class HarnessCommandsTest {
    @Test
    void theProgramListsThem() {
        assertThat(TestingCommand.succeeds("--help").out())
                .containsPattern("(?m)^ +bench +Measures")
                .containsPattern("(?m)^ +oracle +Shows");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    bench    | --report --servers --clients
                    oracle   | --seeds --seed --guarantee --report
                    """)
    void helps(String name, String options) {
        TestingCommand command = TestingCommand.succeeds(name, "--help");
        assertThat(command.out())
                .startsWith("Usage: flink-ps " + name)
                .contains(options.split(" "));
        assertThat(command.err()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    bench --reprot r.json             | 2 | did you mean --report?
                    bench --report DIR/none/r.json    | 1 | --report DIR/none/r.json: there is no folder DIR/none
                    oracle                            | 2 | missing required option: '--seeds=N'
                    oracle --seeds 1 --seed x         | 2 | '--seed'
                    """)
    void refusesBeforeAnythingStarts(
            String line, int exitCode, String message, @TempDir Path folder) {
        String here = folder.toString();
        TestingCommand command = TestingCommand.run(line.replace("DIR", here).split(" +"));
        assertThat(command.err()).startsWith("flink-ps: ").contains(message.replace("DIR", here));
        assertThat(command.exitCode()).isEqualTo(exitCode);
        assertThat(command.out()).isEmpty();
    }
}
