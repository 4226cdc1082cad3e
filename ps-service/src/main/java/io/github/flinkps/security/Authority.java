package io.github.flinkps.security;

import io.netty.util.NetUtil;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Set;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A small authority that signs certificates of servers and clients (X.509, ECDSA on P-256), for
 * those who have none of their own. Safe for use by any thread.
 */
public final class Authority {
    /** Clocks of other machines may be behind. */
    private static final Duration BEFORE = Duration.ofDays(1);

    private static final SecureRandom RANDOM = new SecureRandom();

    private final PrivateKey key;
    private final X509Certificate certificate;

    private Authority(PrivateKey key, X509Certificate certificate) {
        this.key = key;
        this.certificate = certificate;
    }

    /**
     * A certificate, and the key that belongs to it.
     *
     * @param certificate with its public part
     * @param key never in a message
     */
    public record Identity(X509Certificate certificate, PrivateKey key) {
        /**
         * Writes both as PEM files that only their owner may read; both may be there already.
         *
         * @throws IOException naming the file
         */
        public void write(Path certificateFile, Path keyFile) throws IOException {
            writeSecret(keyFile, pem("PRIVATE KEY", key.getEncoded()));
            Files.writeString(certificateFile, Authority.pem(certificate));
        }

        @Override
        public String toString() {
            return certificate.getSubjectX500Principal().getName();
        }
    }

    /** Creates an authority with a key of its own. */
    public static Authority create(String name, Instant now, Duration validity) {
        KeyPair pair = pair();
        X500Principal self = named(name);
        JcaX509v3CertificateBuilder builder = builder(self, self, pair, now, validity);
        try {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign));
        } catch (CertIOException e) {
            throw new IllegalStateException(e);
        }
        return new Authority(pair.getPrivate(), sign(builder, pair.getPrivate()));
    }

    /**
     * Reads an authority that has been written before.
     *
     * @throws IllegalArgumentException naming the file that is wrong
     */
    public static Authority read(Path certificateFile, Path keyFile) {
        PemFile keys = new PemFile("the authority's key", keyFile.toString());
        PrivateKey key = keys.privateKey();
        X509Certificate certificate =
                new PemFile("the authority", certificateFile.toString()).certificates()[0];
        keys.checkFits(key, certificate, certificateFile.toString());
        return new Authority(key, certificate);
    }

    /** Returns the authority's own certificate and key. */
    public Identity identity() {
        return new Identity(certificate, key);
    }

    /**
     * Returns a new identity of a server.
     *
     * @param hosts names and addresses by which clients reach it, at least one
     */
    public Identity server(String name, List<String> hosts, Instant now, Duration validity) {
        GeneralName[] names =
                hosts.stream()
                        .map(
                                host ->
                                        new GeneralName(
                                                NetUtil.createByteArrayFromIpAddressString(host)
                                                                == null
                                                        ? GeneralName.dNSName
                                                        : GeneralName.iPAddress,
                                                host))
                        .toArray(GeneralName[]::new);
        return identity(
                name, new GeneralNames(names), KeyPurposeId.id_kp_serverAuth, now, validity);
    }

    /**
     * Returns the names and addresses of the server whose certificate a file has.
     *
     * @throws IllegalArgumentException naming the file if it is wrong
     */
    public static List<String> hosts(Path certificateFile) {
        PemFile file = new PemFile("the server's certificate", certificateFile.toString());
        try {
            Collection<List<?>> names = file.certificates()[0].getSubjectAlternativeNames();
            return names == null
                    ? List.of()
                    : names.stream().map(name -> String.valueOf(name.get(1))).toList();
        } catch (CertificateParsingException e) {
            throw new IllegalArgumentException(
                    "the names in " + certificateFile + " cannot be read", e);
        }
    }

    /** Returns a new identity of a client, whom servers know by its name. */
    public Identity client(String name, Instant now, Duration validity) {
        return identity(name, null, KeyPurposeId.id_kp_clientAuth, now, validity);
    }

    /** Returns a new identity that is shown at both ends of a connection. */
    public Identity peer(Duration validity) {
        return identity("flink-ps peer", null, null, Instant.now(), validity);
    }

    /**
     * Signs a new identity.
     *
     * @param use of it; null for any
     */
    private Identity identity(
            String name, GeneralNames hosts, KeyPurposeId use, Instant now, Duration validity) {
        KeyPair pair = pair();
        JcaX509v3CertificateBuilder builder =
                builder(certificate.getSubjectX500Principal(), named(name), pair, now, validity);
        try {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
            if (use != null) {
                builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(use));
            }
            if (hosts != null) {
                builder.addExtension(Extension.subjectAlternativeName, false, hosts);
            }
        } catch (CertIOException e) {
            throw new IllegalStateException(e);
        }
        return new Identity(sign(builder, key), pair.getPrivate());
    }

    private static KeyPair pair() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static X500Principal named(String name) {
        if (!name.matches("[A-Za-z0-9._ -]{1,64}")) {
            throw new IllegalArgumentException(
                    "'" + name + "' is no name: use letters, digits, dots, lines and spaces");
        }
        return new X500Principal("CN=" + name);
    }

    private static JcaX509v3CertificateBuilder builder(
            X500Principal issuer,
            X500Principal subject,
            KeyPair pair,
            Instant now,
            Duration validity) {
        return new JcaX509v3CertificateBuilder(
                issuer,
                new BigInteger(127, RANDOM),
                Date.from(now.minus(BEFORE)),
                Date.from(now.plus(validity)),
                subject,
                pair.getPublic());
    }

    private static X509Certificate sign(JcaX509v3CertificateBuilder builder, PrivateKey by) {
        try {
            return new JcaX509CertificateConverter()
                    .getCertificate(
                            builder.build(
                                    new JcaContentSignerBuilder("SHA256withECDSA").build(by)));
        } catch (OperatorCreationException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String pem(X509Certificate certificate) {
        try {
            return pem("CERTIFICATE", certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String pem(String type, byte[] der) {
        return "-----BEGIN "
                + type
                + "-----\n"
                + Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                        .encodeToString(der)
                + "\n-----END "
                + type
                + "-----\n";
    }

    /** Writes a file that nobody but its owner may read at any time. */
    public static void writeSecret(Path file, String text) throws IOException {
        Set<PosixFilePermission> own = PosixFilePermissions.fromString("rw-------");
        if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            if (Files.notExists(file)) {
                Files.createFile(file, PosixFilePermissions.asFileAttribute(own));
            }
            Files.setPosixFilePermissions(file, own);
        }
        Files.writeString(file, text);
    }
}
