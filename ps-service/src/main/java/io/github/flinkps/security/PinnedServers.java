package io.github.flinkps.security;

import io.netty.handler.ssl.SslContextBuilder;
import java.io.Serializable;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;

/**
 * Knows servers by their certificates alone, of which no authority says anything.
 *
 * @param fingerprints SHA-256 of each certificate that is taken, in hexadecimal
 */
public record PinnedServers(List<String> fingerprints) implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final int DIGITS = 64;

    public PinnedServers {
        fingerprints = List.copyOf(fingerprints);
        for (String fingerprint : fingerprints) {
            if (!fingerprint.matches("[0-9a-f]{" + DIGITS + "}")) {
                throw new IllegalArgumentException(
                        "'" + fingerprint + "' is no fingerprint: " + DIGITS + " digits 0-9, a-f");
            }
        }
        if (fingerprints.isEmpty()) {
            throw new IllegalArgumentException("no fingerprint: nobody would be taken");
        }
    }

    /** Returns what encrypts connections to a server, and shows it no certificate. */
    public Tls client() {
        return Tls.of(SslContextBuilder.forClient().trustManager(Tls.taking(fingerprints)));
    }

    /** Returns the fingerprint of a certificate. */
    static String fingerprint(X509Certificate certificate) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException | CertificateEncodingException e) {
            throw new IllegalStateException(e); // each Java has it, and it was encoded before
        }
    }
}
