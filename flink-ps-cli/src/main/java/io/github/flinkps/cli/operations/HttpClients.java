package io.github.flinkps.cli.operations;

import io.github.flinkps.security.Tls;
import io.github.flinkps.security.Token;
import io.github.flinkps.server.ServerSecurity;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.ssl.SslHandler;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Knows clients by the certificate or the token that they show. Confined to one event loop. */
final class HttpClients {
    private static final Logger LOG = LoggerFactory.getLogger(HttpClients.class);
    private static final String BEARER = "Bearer ";
    private static final long HANDSHAKE_MILLIS = 10_000;

    private final Tls tls;
    private final Token tokens;

    /**
     * @throws IllegalArgumentException naming the option whose file is wrong
     */
    HttpClients(ServerSecurity security) {
        this.tls = security.encryption();
        this.tokens = security.tokenFile() == null ? null : Token.ofServer(security.tokenFile());
    }

    SslHandler encryption(Channel channel) {
        return tls.handler(channel.alloc(), null, HANDSHAKE_MILLIS);
    }

    /** Looks whether files have changed. */
    void look() {
        try {
            tls.look();
            if (tokens != null) {
                tokens.look();
            }
        } catch (RuntimeException e) { // whoever calls it each second must go on
            LOG.warn("Keys and tokens of http-port stay as they were", e);
        }
    }

    boolean knows(Channel channel, HttpRequest request) {
        String shown = request.headers().get(HttpHeaderNames.AUTHORIZATION, "");
        if (tokens != null && shown.startsWith(BEARER)) {
            byte[] token = shown.substring(BEARER.length()).getBytes(StandardCharsets.UTF_8);
            return token.length <= Token.MOST_BYTES && tokens.nameOf(token) != null;
        }
        return Tls.nameOfPeer(channel.pipeline().get(SslHandler.class)) != null;
    }
}
