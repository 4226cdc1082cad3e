package io.github.flinkps.transport;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLProtocolException;

/** Says why TLS did not come about, to whom it may help. */
final class TlsFailure {
    private static final String ADVICE =
            "remove tls-trust, or set tls-certificate and tls-key at the server";

    private TlsFailure() {}

    /**
     * Returns what a client is told whose handshake with a server has failed.
     *
     * @param ofTrust whether its tls-trust asks for TLS
     */
    static PsException atClient(String server, boolean ofTrust, Throwable cause) {
        if (cause instanceof NotSslRecordException) {
            return new PsException(
                    ErrorCode.UNAUTHENTICATED,
                    "server "
                            + server
                            + " does not speak TLS"
                            + (ofTrust ? ", and tls-trust asks for it: " + ADVICE : ""),
                    cause);
        }
        if (cause instanceof SslHandshakeTimeoutException) {
            return new PsException(
                    ErrorCode.DISCONNECTED,
                    "server " + server + " has not finished the TLS handshake: " + deepest(cause),
                    cause);
        }
        return cause instanceof SSLException && !isEndOfConnection(cause)
                ? new PsException(
                        ErrorCode.UNAUTHENTICATED,
                        "server " + server + " is not trusted: " + deepest(cause),
                        cause)
                : new PsException(
                        ErrorCode.DISCONNECTED,
                        "server "
                                + server
                                + " ended the TLS handshake, as one does that speaks no TLS: "
                                + deepest(cause)
                                + (ofTrust ? "; if it speaks none, " + ADVICE : ""),
                        cause);
    }

    /**
     * Returns what has ended an encrypted connection, or the cause itself if that is not TLS: what
     * the other end refuses of ours it says after the handshake.
     */
    static Throwable afterwards(Throwable cause) {
        for (Throwable at = cause; at != null; at = at.getCause()) {
            if (at instanceof SSLException && !isEndOfConnection(at)) {
                return new PsException(
                        ErrorCode.UNAUTHENTICATED,
                        "TLS was refused, as for want of a certificate that the other end trusts"
                                + " (tls-certificate and tls-key, whatever token is shown): "
                                + deepest(at),
                        at);
            }
        }
        return cause;
    }

    private static boolean isEndOfConnection(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        return !(cause instanceof SSLProtocolException)
                && (message.contains("closed") || message.contains("Connection reset"));
    }

    private static String deepest(Throwable cause) {
        Throwable at = cause;
        while (at.getCause() != null && at.getCause() != at) {
            at = at.getCause();
        }
        return at.getMessage() == null ? at.toString() : at.getMessage();
    }
}
