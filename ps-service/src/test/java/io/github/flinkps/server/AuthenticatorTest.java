package io.github.flinkps.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.HelloMessage;
import io.github.flinkps.security.TlsFiles;
import io.github.flinkps.testing.TestingConnection;
import io.github.flinkps.testing.TestingKeys;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuthenticatorTest {
    private static final byte[] NOTHING = {};

    @TempDir private Path folder;

    private static long identity(Authenticator asked, String shown, long client) {
        byte[] credential = shown.getBytes(StandardCharsets.UTF_8);
        return asked.client(
                        new TestingConnection(UnpooledByteBufAllocator.DEFAULT),
                        HelloMessage.Request.of(HelloMessage.CONTROL, client, credential))
                .identity();
    }

    @Test
    void anothersNumberIsNotAnothersIdentity() {
        TestingKeys keys = new TestingKeys(folder);
        String anna = "anna:0123456789abcdef";
        String bert = "bert:fedcba9876543210";
        TlsFiles tls = keys.server("127.0.0.1");
        Authenticator asked =
                new Authenticator(
                        new ServerSecurity(
                                new TlsFiles(tls.certificate(), tls.key(), null),
                                keys.tokens("tokens", anna, bert),
                                false));
        assertThat(identity(asked, anna, 7))
                .isEqualTo(identity(asked, anna, 7))
                .isNotEqualTo(identity(asked, anna, 8))
                .isNotEqualTo(identity(asked, bert, 7))
                .isNotEqualTo(7);
        assertThatThrownBy(() -> identity(asked, "", 7))
                .isInstanceOf(PsException.class)
                .extracting(e -> ((PsException) e).code())
                .isEqualTo(ErrorCode.UNAUTHENTICATED);
    }

    /** Rules mean everybody by that name. */
    @Test
    void aCertificateNamesNobodyAsEverybody() {
        TlsFiles tls = new TestingKeys(folder).server("127.0.0.1");
        Authenticator asked = new Authenticator(new ServerSecurity(tls, null, false));
        HelloMessage.Request hello = HelloMessage.Request.of(HelloMessage.CONTROL, 7, NOTHING);
        assertThat(asked.client(certified("anna"), hello).name()).isEqualTo("anna");
        assertThatThrownBy(() -> asked.client(certified("*"), hello))
                .isInstanceOf(PsException.class)
                .hasMessageContaining("a certificate can name nobody *");
    }

    private static TestingConnection certified(String name) {
        return new TestingConnection(UnpooledByteBufAllocator.DEFAULT).certified(name);
    }

    @Test
    void aServerThatAsksNobodyTakesAnybody() {
        Authenticator asked = new Authenticator(ServerSecurity.NONE);
        HelloMessage.Request hello = HelloMessage.Request.of(HelloMessage.CONTROL, 7, NOTHING);
        assertThat(asked.client(new TestingConnection(UnpooledByteBufAllocator.DEFAULT), hello))
                .isEqualTo(new Authenticator.Client(7, null));
    }

    @Test
    void optionsThatDoNotFitAreNamed() {
        TlsFiles tls = new TestingKeys(folder).server("127.0.0.1");
        assertThatThrownBy(() -> new ServerSecurity(TlsFiles.NONE, "tokens", false))
                .hasMessageStartingWith("token-file needs tls-certificate and tls-key too");
        assertThatThrownBy(() -> new ServerSecurity(new TlsFiles(null, null, "trust"), null, false))
                .hasMessageStartingWith("tls-trust needs tls-certificate and tls-key too");
        assertThatThrownBy(
                        () ->
                                new ServerSecurity(
                                        new TlsFiles(tls.certificate(), tls.key(), null),
                                        null,
                                        "rules",
                                        false,
                                        null))
                .hasMessageStartingWith("acl-file needs tls-trust or token-file too");
        assertThatThrownBy(() -> new ServerSecurity(tls, null, true))
                .hasMessage("insecure-plaintext and tls-certificate exclude each other");
    }
}
