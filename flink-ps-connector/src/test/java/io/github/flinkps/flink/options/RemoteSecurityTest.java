package io.github.flinkps.flink.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;

class RemoteSecurityTest {
    private static final Configuration FLINK =
            Configuration.fromMap(
                    Map.of("flink-ps.tls-trust", "ca.pem", "flink-ps.token-file", "ads.token"));

    private static Map<String, String> completed(Map<String, String> own, boolean remote) {
        Configuration options = Configuration.fromMap(own);
        RemoteSecurity.complete(options, FLINK, remote);
        return options.toMap();
    }

    @Test
    void flinksConfigurationSaysWhatOptionsDoNot() {
        assertThat(completed(Map.of("remote", "a:1"), true))
                .isEqualTo(
                        Map.of("remote", "a:1", "tls-trust", "ca.pem", "token-file", "ads.token"));
        assertThat(completed(Map.of(), false)).isEqualTo(Map.of("token-file", "ads.token"));
        Map<String, String> own = Map.of("tls-trust", "own.pem");
        assertThat(completed(own, true)).isEqualTo(own);
    }
}
