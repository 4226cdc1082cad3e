package io.github.flinkps.cli;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.cli.run.CommandException;
import org.junit.jupiter.api.Test;

class SignalsTest {
    @Test
    void aServerWithoutHeapEndsWithAMessage() {
        try (Signals signals = Signals.listen()) {
            signals.fail(new OutOfMemoryError("Java heap space"));
            assertThatThrownBy(signals::await)
                    .isInstanceOf(CommandException.class)
                    .hasMessageContaining("its heap is exhausted")
                    .hasMessageContaining("Java heap space (set FLINK_PS_JAVA_OPTS=-Xmx..)");
        }
    }
}
