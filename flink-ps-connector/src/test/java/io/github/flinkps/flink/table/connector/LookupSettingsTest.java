package io.github.flinkps.flink.table.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.flink.options.RemoteServers;
import io.github.flinkps.flink.table.ModelPath;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LookupSettingsTest {
    private static Duration peerTimeout(Map<String, String> options) {
        return new LookupSettings("t", options)
                .predictor(new ModelPath("file:///models", "ads", "ctr"), RemoteServers.NONE)
                .peerTimeout();
    }

    @Test
    void sayHowLongAServerMaySayNothing() {
        assertThat(peerTimeout(Map.of("peer-timeout", "2 s"))).isEqualTo(Duration.ofSeconds(2));
        assertThat(peerTimeout(Map.of())).isEqualTo(Duration.ofSeconds(10));
    }
}
