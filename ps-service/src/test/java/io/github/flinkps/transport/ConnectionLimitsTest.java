package io.github.flinkps.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ConnectionLimitsTest {
    private final InetAddress one = InetAddress.getLoopbackAddress();
    private final InetAddress other = address(7);
    private final ConnectionLimits limits =
            new ConnectionLimits(3, 2, 1000, 1000, Duration.ofSeconds(10));

    private static InetAddress address(int last) {
        try {
            return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) last});
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void connectionsOfAnAddressAreLimitedAndThoseOfAll() {
        assertThat(limits.enter(one)).isTrue();
        assertThat(limits.enter(one)).isTrue();
        assertThat(limits.enter(one)).isFalse();
        assertThat(limits.enter(other)).isTrue();
        assertThat(limits.enter(other)).isFalse();
        assertThat(limits.enter(address(8))).isFalse();
        limits.leave(one);
        assertThat(limits.enter(address(8))).isTrue();
        limits.leave(one);
        limits.leave(other);
        assertThat(limits.enter(one)).isTrue();
        assertThat(limits.enter(one)).isTrue();
        assertThat(limits.enter(other)).isFalse();
    }
}
