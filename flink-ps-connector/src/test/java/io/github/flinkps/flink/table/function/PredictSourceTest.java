package io.github.flinkps.flink.table.function;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;

class PredictSourceTest {
    private static Duration peerTimeout(Map<String, String> options) {
        return PredictSource.of(Configuration.fromMap(options)).peerTimeout();
    }

    @Test
    void saysHowLongAServerMaySayNothing() {
        assertThat(peerTimeout(Map.of("peer-timeout", "2 s"))).isEqualTo(Duration.ofSeconds(2));
        assertThat(peerTimeout(Map.of())).isEqualTo(Duration.ofSeconds(10));
    }
}
