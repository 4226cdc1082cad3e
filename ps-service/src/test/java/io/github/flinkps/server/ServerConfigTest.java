package io.github.flinkps.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.testing.GeneratedDoc;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerConfigTest {
    private static final long GIB = 1L << 30;

    @Test
    void theHeapIsSharedByOwners() {
        ServerConfig config = ServerConfig.of(Map.of("owners", "4"), 8 * GIB);
        assertThat(config.owners()).isEqualTo(4);
        assertThat(config.store().keyCacheBytes()).isEqualTo(GIB / 4);
        assertThat(config.cuts().savedBytes()).isEqualTo(GIB);
        assertThat(config.cuts().holdBytes()).isEqualTo(GIB / 4);
        assertThat(ServerConfig.of(Map.of(), 1000).store().keyCacheBytes()).isEqualTo(16 << 20);
    }

    @Test
    void eachOptionIsReadWithItsUnit() {
        Map<String, String> given =
                Map.of(
                        "host", "localhost",
                        "port", "7070",
                        "max-frame-bytes", "1g",
                        "in-flight-bytes", "8388608",
                        "max-parked", "7",
                        "key-cache-bytes", "512 KB",
                        "partition-rows", "1000",
                        "cut-timeout", "5m",
                        "cut-hold-bytes", "2m",
                        "cut-saved-bytes", "3 mb");
        ServerConfig config = ServerConfig.of(given, GIB);
        assertThat(config.listen())
                .isEqualTo(new ServerConfig.Listen("localhost", 7070, "localhost"));
        assertThat(ServerConfig.of(Map.of("advertise", "ps1.example"), GIB).listen())
                .isEqualTo(new ServerConfig.Listen("127.0.0.1", 0, "ps1.example"));
        assertThat(config.requests())
                .isEqualTo(new ServerConfig.RequestLimits(1 << 30, 8 << 20, 7));
        assertThat(config.store()).isEqualTo(new ServerConfig.StoreLimits(512 << 10, 1000));
        assertThat(config.cuts())
                .isEqualTo(new ServerConfig.CutLimits(Duration.ofMinutes(5), 2 << 20, 3 << 20));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    owners          | 0     | owners must be between 1 and 256, not 0
                    owners          | many  | owners must be a whole number, not 'many'
                    port            | 65536 | port must be between 0 and 65535, not 65536
                    max-frame-bytes | 64    | max-frame-bytes must be between 65536 and 2147483647, not 64
                    in-flight-bytes | 1m    | in-flight-bytes must be at least 4194304, not 1048576
                    key-cache-bytes | -1    | key-cache-bytes must be a size such as 64m or 1g, not '-1'
                    cut-hold-bytes  | 9999999999g | cut-hold-bytes must be a size such as 64m or 1g, not '9999999999g'
                    cut-timeout     | 0s    | cut-timeout must be at least 1 ms, not 0 s
                    cut-timeout     | 5     | cut-timeout must be a time such as 500ms, 60s, 5m or 1h, not '5'
                    """)
    void wrongValuesAreRefusedByName(String key, String value, String message) {
        assertThatThrownBy(() -> ServerConfig.of(Map.of(key, value), GIB))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void unknownOptionsAreRefused() {
        assertThatThrownBy(() -> ServerConfig.of(Map.of("owner", "1"), GIB))
                .hasMessageStartingWith("owner is no option of a server: they are [host, port, ");
    }

    @Test
    void haveATable() throws IOException {
        List<List<String>> rows =
                ServerConfig.OPTIONS.stream()
                        .map(
                                option ->
                                        List.of(
                                                "`" + option.key() + "`",
                                                option.defaultText(),
                                                option.range().text(),
                                                option.description()))
                        .toList();
        GeneratedDoc.checkTable(
                "options.md", "server", List.of("option", "default", "range", "meaning"), rows);
    }
}
