package io.github.flinkps.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.nio.channels.ClosedChannelException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

class TlsFailureTest {
    private static final String ADVICE =
            "remove tls-trust, or set tls-certificate and tls-key at the server";

    private static void isTold(Throwable cause, boolean ofTrust, ErrorCode code, String message) {
        PsException told = TlsFailure.atClient("ps:1", ofTrust, cause);
        assertThat(told).hasMessageContaining(message).hasCause(cause);
        assertThat(told.code()).isEqualTo(code);
    }

    /** Keys of a job ask for TLS, and no option that could be removed. */
    @Test
    void whatToDoIsSaidToWhoMayDoIt() {
        Throwable other = new NotSslRecordException("not an SSL/TLS record");
        String none = "server ps:1 does not speak TLS";
        isTold(
                other,
                true,
                ErrorCode.UNAUTHENTICATED,
                none + ", and tls-trust asks for it: " + ADVICE);
        assertThat(TlsFailure.atClient("ps:1", false, other).getMessage())
                .endsWith(none)
                .doesNotContain("tls-trust");
    }

    @Test
    void whatIsNotKnownIsNotSaid() {
        Throwable closed = new ClosedChannelException();
        isTold(
                closed,
                true,
                ErrorCode.DISCONNECTED,
                "server ps:1 ended the TLS handshake, as one does that speaks no TLS: " + closed);
        isTold(closed, true, ErrorCode.DISCONNECTED, "; if it speaks none, " + ADVICE);
        assertThat(TlsFailure.atClient("ps:1", false, closed).getMessage())
                .doesNotContain("tls-trust");
        isTold(
                new SslHandshakeTimeoutException("handshake timed out after 9ms"),
                true,
                ErrorCode.DISCONNECTED,
                "server ps:1 has not finished the TLS handshake: handshake timed out after 9ms");
        isTold(
                new SSLHandshakeException("no path"),
                true,
                ErrorCode.UNAUTHENTICATED,
                "server ps:1 is not trusted: no path");
    }
}
