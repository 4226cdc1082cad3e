package io.github.flinkps.flink.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.ClientSecurity;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.security.JobKeys;
import io.github.flinkps.testing.LeakExtension;
import io.github.flinkps.testing.TestingKeys;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.IllegalConfigurationException;
import org.apache.flink.configuration.SecurityOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(LeakExtension.class)
class ClusterKeysTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final String PASSWORD = "open sesame";
    private static final TaskHost HOST = new TaskHost(64 << 20, "127.0.0.2", "127.0.0.2");

    @TempDir private Path folder;

    private static Configuration flink(String store) {
        return new Configuration()
                .set(SecurityOptions.SSL_INTERNAL_ENABLED, true)
                .set(SecurityOptions.SSL_INTERNAL_KEYSTORE, store)
                .set(SecurityOptions.SSL_INTERNAL_KEYSTORE_TYPE, "PKCS12")
                .set(SecurityOptions.SSL_INTERNAL_TRUSTSTORE, store)
                .set(SecurityOptions.SSL_INTERNAL_TRUSTSTORE_TYPE, "PKCS12")
                .set(SecurityOptions.SSL_KEYSTORE_PASSWORD, PASSWORD)
                .set(SecurityOptions.SSL_INTERNAL_KEY_PASSWORD, PASSWORD)
                .set(SecurityOptions.SSL_INTERNAL_TRUSTSTORE_PASSWORD, PASSWORD);
    }

    private static LocalServerBackend job(Configuration taskManager) {
        LocalServerBackend backend =
                LocalServerBackend.of(ClientSecurity.ofPeers(JobKeys.create()), TIMEOUT);
        backend.open(taskManager);
        return backend;
    }

    private static int stats(LocalServerBackend backend, EmbeddedServer server) throws Exception {
        String far = server.address().replace("#", "#another-process-");
        try (ParameterClient client = backend.connect(List.of(far), TIMEOUT)) {
            return client.stats(TIMEOUT).get(20, TimeUnit.SECONDS).size();
        }
    }

    @Test
    void serversTakeTheirClusterWhereItHasKeys() throws Exception {
        Configuration flink = flink(new TestingKeys(folder).store("store", "PKCS12", PASSWORD));
        try (EmbeddedServer server = job(flink).startServer(0, 1, HOST)) {
            assertThat(stats(job(flink), server)).isEqualTo(1);
            assertThatThrownBy(() -> stats(job(new Configuration()), server))
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("is not trusted");
            LocalServerBackend reader = new LocalServerBackend();
            reader.open(flink);
            assertThat(stats(reader, server)).isEqualTo(1);
            reader.open(new Configuration());
            assertThatThrownBy(() -> stats(reader, server))
                    .hasMessageContaining("security.ssl.internal.enabled");
        }
    }

    @Test
    void whatIsMissingIsNamed() {
        assertThat(ClusterKeys.of(new Configuration())).isNull();
        Configuration flink = flink("none");
        assertThatThrownBy(() -> job(flink).startServer(0, 1, HOST))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("security.ssl.internal.keystore none cannot be used");
        flink.removeConfig(SecurityOptions.SSL_INTERNAL_TRUSTSTORE_PASSWORD);
        assertThatThrownBy(() -> ClusterKeys.of(flink))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining(
                        "security.ssl.internal.truststore-password or"
                                + " security.ssl.truststore-password");
    }
}
