package io.github.flinkps.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.ErrorFrame;
import io.github.flinkps.protocol.HelloMessage;
import io.github.flinkps.security.Authority;
import io.github.flinkps.security.TlsFiles;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.server.ServerSecurity;
import io.github.flinkps.testing.LeakExtension;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A session of TLS that is resumed lets nobody in whose certificate has expired meanwhile. */
@ExtendWith(LeakExtension.class)
class ExpiredClientITCase {
    private static final Duration LONG = Duration.ofDays(1);

    @TempDir private Path folder;

    private TlsFiles files(Authority authority, Instant now) throws Exception {
        Path ca = folder.resolve("ca.pem");
        Path certificate = folder.resolve("server.pem");
        Path key = folder.resolve("server-key.pem");
        authority.identity().write(ca, folder.resolve("ca-key.pem"));
        authority.server("server", List.of("127.0.0.1"), now, LONG).write(certificate, key);
        return new TlsFiles(certificate.toString(), key.toString(), ca.toString());
    }

    private static SSLContext context(Authority authority, Authority.Identity client)
            throws Exception {
        char[] password = "password".toCharArray();
        KeyStore own = KeyStore.getInstance("PKCS12");
        own.load(null, password);
        X509Certificate[] chain = {client.certificate()};
        own.setKeyEntry("client", client.key(), password, chain);
        own.setCertificateEntry("ca", authority.identity().certificate());
        KeyManagerFactory keys =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own, password);
        TrustManagerFactory trust =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(own);
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    /** Returns how a server answers the hello of a client. */
    private static ErrorCode hello(int port, SSLContext context) throws Exception {
        try (RawClient client = RawClient.connect(port, context)) {
            client.hello(HelloMessage.CONTROL, 7, new byte[0]);
            PsException error = ErrorFrame.of(client.receive());
            return error == null ? ErrorCode.NONE : error.code();
        } catch (SSLException refused) {
            return ErrorCode.UNAUTHENTICATED;
        }
    }

    @Test
    void isNotLetIn() throws Exception {
        Instant now = Instant.now();
        Authority authority = Authority.create("authority", now, LONG);
        Instant end = now.plusSeconds(6);
        Authority.Identity brief =
                authority.client("brief", now.minus(LONG), Duration.between(now.minus(LONG), end));
        Authority.Identity lasting = authority.client("lasting", now, LONG);
        TlsFiles files = files(authority, now);
        try (ParameterServer server =
                ParameterServer.start(
                        ServerConfig.defaults()
                                .withOwners(1)
                                .withSecurity(new ServerSecurity(files, null, false)))) {
            SSLContext expiring = context(authority, brief);
            assertThat(hello(server.port(), expiring)).isEqualTo(ErrorCode.NONE);
            while (!Instant.now().isAfter(end.plusSeconds(1))) {
                Thread.sleep(100);
            }
            assertThat(hello(server.port(), expiring)).isEqualTo(ErrorCode.UNAUTHENTICATED);
            assertThat(hello(server.port(), context(authority, lasting))).isEqualTo(ErrorCode.NONE);
        }
    }
}
