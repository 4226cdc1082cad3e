package io.github.flinkps.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {
    @ParameterizedTest
    @ValueSource(strings = {"ps1:7777", "10.0.0.1:1", "[::1]:65535"})
    void isReadAsItIsWritten(String text) {
        assertThat(Endpoint.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ":1", "ps1", "ps1:", "ps1:0", "ps1:65536", "ps1:a", "a:1,b:2", "a :1"})
    void whatIsNoAddressIsRefused(String text) {
        assertThatThrownBy(() -> Endpoint.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'; expected host:port");
    }
}
