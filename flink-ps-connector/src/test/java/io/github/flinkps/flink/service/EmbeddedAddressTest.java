package io.github.flinkps.flink.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class EmbeddedAddressTest {
    private static final String FIRST = "a".repeat(64);
    private static final String SECOND = "b".repeat(64);

    private static EmbeddedAddress reread(String text) {
        EmbeddedAddress address = EmbeddedAddress.of(text);
        assertThat(address.toString()).isEqualTo(text);
        return address;
    }

    @Test
    void partsAreReadAsTheyWereWritten() {
        assertThat(reread("10.0.0.7:7070#server-1"))
                .isEqualTo(new EmbeddedAddress("10.0.0.7:7070", "server-1", "", List.of()));
        assertThat(reread("127.0.0.1:7070#server-1@host.example"))
                .isEqualTo(
                        new EmbeddedAddress(
                                "127.0.0.1:7070", "server-1", "host.example", List.of()));
        assertThat(reread("[::2]:7070#s!" + FIRST + "+" + SECOND))
                .isEqualTo(new EmbeddedAddress("[::2]:7070", "s", "", List.of(FIRST, SECOND)));
        assertThat(reread("h:1#s@m!" + FIRST))
                .isEqualTo(new EmbeddedAddress("h:1", "s", "m", List.of(FIRST)));
        assertThat(EmbeddedAddress.is("h:1")).isFalse();
    }
}
