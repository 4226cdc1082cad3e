package io.github.flinkps.flink.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;

class RemoteSecurityTest {
    private static final Map<String, String> FILES =
            Map.of("tls-trust", "ca.pem", "token-file", "ads.token");

    private static final Configuration FLINK =
            Configuration.fromMap(
                    Map.of(
                            "flink-ps.tls-trust", "ca.pem",
                            "flink-ps.token-file", "ads.token",
                            "flink-ps.reader-token-file", "search.token"));

    private static Map<String, String> completed(Map<String, String> own) {
        Configuration options = Configuration.fromMap(own);
        RemoteSecurity.complete(options, FLINK);
        return options.toMap();
    }

    @Test
    void flinksConfigurationSaysWhatOptionsDoNot() {
        assertThat(completed(Map.of())).isEqualTo(FILES);
        Map<String, String> own = Map.of("tls-trust", "own.pem");
        assertThat(completed(own)).isEqualTo(own);
        Configuration reader = Configuration.fromMap(own);
        RemoteSecurity.completeReader(reader, FLINK);
        assertThat(reader.toMap())
                .isEqualTo(Map.of("tls-trust", "own.pem", "reader-token-file", "search.token"));
    }

    @Test
    void aReadersTokenIsForNoOtherServers() {
        Configuration options = Configuration.fromMap(FILES);
        options.set(RemoteSecurity.READER_TOKEN_FILE, "search.token");
        assertThat(RemoteSecurity.of(options).tokenFile()).isEqualTo("ads.token");
        assertThat(RemoteSecurity.of(options).readerTokenFile()).isEqualTo("search.token");
    }

    @Test
    void filesWithoutServersAreForThoseThatAJobNames() {
        Configuration files = Configuration.fromMap(FILES);
        files.set(RemoteSecurity.READER_TOKEN_FILE, "search.token");
        assertThat(job(List.of(), files, Map.of("remote", "a:1")))
                .isEqualTo(
                        Map.of("remote", "a:1", "tls-trust", "ca.pem", "token-file", "ads.token"));
        assertThat(job(List.of(), files, Map.of())).isEmpty();
        assertThat(job(List.of("b:1"), files, Map.of("remote", "a:1")))
                .isEqualTo(Map.of("remote", "a:1"));
        assertThat(job(List.of("b:1"), files, Map.of())).containsAllEntriesOf(FILES).hasSize(3);
    }

    private static Map<String, String> job(
            List<String> addresses, Configuration files, Map<String, String> own) {
        Configuration options = Configuration.fromMap(own);
        RemoteServers.of(addresses, files).addTo(options);
        return options.toMap();
    }
}
