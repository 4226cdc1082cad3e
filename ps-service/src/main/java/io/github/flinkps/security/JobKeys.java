package io.github.flinkps.security;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.ByteArrayInputStream;
import java.io.Serializable;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.TrustManagerFactory;

/**
 * The one key and certificate that all servers and workers of a job show each other: each end takes
 * exactly this certificate, and no authority's word for another. Travels with the job. Safe for use
 * by any thread.
 */
public final class JobKeys implements PeerKeys, Serializable {
    private static final long serialVersionUID = 1L;

    /** A time longer than any job runs. */
    private static final Duration VALIDITY = Duration.ofDays(20 * 365);

    private final byte[] certificate;
    private final byte[] key;

    private JobKeys(byte[] certificate, byte[] key) {
        this.certificate = certificate;
        this.key = key;
    }

    /** Creates the keys of a new job. */
    public static JobKeys create() {
        Authority.Identity own =
                Authority.create("flink-ps job", Instant.now(), VALIDITY).peer(VALIDITY);
        try {
            return new JobKeys(own.certificate().getEncoded(), own.key().getEncoded());
        } catch (CertificateException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Tls server(boolean mayLack) {
        return Tls.of(
                SslContextBuilder.forServer(key(), certificate())
                        .trustManager(taken())
                        .clientAuth(mayLack ? ClientAuth.OPTIONAL : ClientAuth.REQUIRE));
    }

    @Override
    public Tls client() {
        return Tls.of(
                SslContextBuilder.forClient()
                        .keyManager(key(), certificate())
                        .trustManager(taken()));
    }

    @Override
    public PinnedServers pinned() {
        return new PinnedServers(List.of(PinnedServers.fingerprint(certificate())));
    }

    private TrustManagerFactory taken() {
        return Tls.taking(pinned().fingerprints());
    }

    private X509Certificate certificate() {
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(new ByteArrayInputStream(certificate));
        } catch (CertificateException e) {
            throw new IllegalStateException(e);
        }
    }

    private PrivateKey key() {
        try {
            return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(key));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Says nothing of the key. */
    @Override
    public String toString() {
        return "keys of a job";
    }
}
