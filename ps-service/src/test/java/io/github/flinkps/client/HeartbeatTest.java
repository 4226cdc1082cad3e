package io.github.flinkps.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.client.Heartbeat.Due;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import org.junit.jupiter.api.Test;

class HeartbeatTest {
    private final Heartbeat heartbeat = new Heartbeat(10_000_000);

    @Test
    void asksOnceAndThenGivesUp() {
        heartbeat.heard(1000);
        assertThat(heartbeat.due(5_000_999)).isEqualTo(Due.NOTHING);
        assertThat(heartbeat.due(5_001_000)).isEqualTo(Due.PING);
        assertThat(heartbeat.due(10_000_999)).isEqualTo(Due.NOTHING);
        assertThat(heartbeat.due(10_001_000)).isEqualTo(Due.GIVE_UP);
        assertThat(heartbeat.failure("a:1")).hasMessage("server a:1 has said nothing for 10 ms");
    }

    @Test
    void anAnswerBeginsItAnew() {
        heartbeat.heard(0);
        assertThat(heartbeat.due(6_000_000)).isEqualTo(Due.PING);
        heartbeat.heard(7_000_000);
        assertThat(heartbeat.due(11_000_000)).isEqualTo(Due.NOTHING);
        assertThat(heartbeat.due(12_000_000)).isEqualTo(Due.PING);
        assertThat(heartbeat.due(17_000_000)).isEqualTo(Due.GIVE_UP);
    }

    /** Whoever learns that a server is away learns for what it was given up, too. */
    @Test
    void saysOfASilentServerWhyItWasGivenUp() {
        PsException refused = new PsException(ErrorCode.DISCONNECTED, "cannot reach a:1");
        assertThat(heartbeat.explain(refused)).isSameAs(refused);
        PsException silence = heartbeat.failure("a:1");
        assertThat(heartbeat.explain(silence)).isSameAs(silence);
        heartbeat.idle(0);
        assertThat(heartbeat.explain(refused))
                .hasMessage("cannot reach a:1; before that, server a:1 has said nothing for 10 ms");
        heartbeat.heard(0);
        assertThat(heartbeat.explain(refused)).isSameAs(refused);
    }
}
