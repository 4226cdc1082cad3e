package io.github.flinkps.security;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads PEM files (RFC 7468), and says what is wrong with one by the name of its option. */
final class PemFile {
    private static final int LARGEST = 1 << 20;
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");

    private final String option;
    private final String file;

    PemFile(String option, String file) {
        this.option = option;
        this.file = file;
    }

    /** Returns whether the file is missing or blank. */
    boolean isNothing() {
        return Files.notExists(Path.of(file)) || text().isBlank();
    }

    /** Returns all certificates of the file, at least one. */
    X509Certificate[] certificates() {
        List<X509Certificate> found = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (byte[] der : blocks("CERTIFICATE")) {
                found.add(
                        (X509Certificate)
                                factory.generateCertificate(new ByteArrayInputStream(der)));
            }
        } catch (CertificateException e) {
            throw wrong("has a certificate that cannot be read", e);
        }
        if (found.isEmpty()) {
            throw wrong("has no certificate in PEM (-----BEGIN CERTIFICATE-----)", null);
        }
        return found.toArray(X509Certificate[]::new);
    }

    /** Warns if everybody who uses the machine may read the file. */
    void warnIfOpen() {
        SecretFile.warnIfOpen(option, Path.of(file));
    }

    /** Returns the private key of the file. */
    PrivateKey privateKey() {
        List<byte[]> keys = blocks("PRIVATE KEY");
        if (keys.size() != 1) {
            String text = text();
            if (text.contains("ENCRYPTED")) {
                throw wrong("is encrypted: give the key without a password", null);
            }
            throw wrong(
                    Pattern.compile("-----BEGIN (RSA|EC|DSA) PRIVATE KEY-----").matcher(text).find()
                            ? "is no PKCS #8: convert it by 'openssl pkcs8 -topk8 -nocrypt'"
                            : "has not one private key in PEM (-----BEGIN PRIVATE KEY-----)",
                    null);
        }
        PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(keys.get(0));
        return Stream.of("RSA", "EC")
                .flatMap(algorithm -> key(algorithm, spec).stream())
                .findFirst()
                .orElseThrow(() -> wrong("has a private key that is neither RSA nor EC", null));
    }

    private static Optional<PrivateKey> key(String algorithm, PKCS8EncodedKeySpec spec) {
        try {
            return Optional.of(KeyFactory.getInstance(algorithm).generatePrivate(spec));
        } catch (InvalidKeySpecException other) {
            return Optional.empty();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Checks whether a certificate belongs to the key of this file.
     *
     * @param certificateFile where it is from
     */
    void checkFits(PrivateKey key, X509Certificate certificate, String certificateFile) {
        PublicKey known = certificate.getPublicKey();
        boolean fits = key.getAlgorithm().equals(known.getAlgorithm());
        if (fits) {
            byte[] probe = file.getBytes(StandardCharsets.UTF_8);
            try {
                Signature signature =
                        Signature.getInstance(
                                key.getAlgorithm().equals("EC")
                                        ? "SHA256withECDSA"
                                        : "SHA256withRSA");
                signature.initSign(key);
                signature.update(probe);
                byte[] signed = signature.sign();
                signature.initVerify(known);
                signature.update(probe);
                fits = signature.verify(signed);
            } catch (GeneralSecurityException e) {
                fits = false;
            }
        }
        if (!fits) {
            throw wrong("is not the key of the certificate in " + certificateFile, null);
        }
    }

    private List<byte[]> blocks(String type) {
        List<byte[]> found = new ArrayList<>();
        Matcher block = BLOCK.matcher(text());
        while (block.find()) {
            if (block.group(1).equals(type)) {
                try {
                    found.add(Base64.getMimeDecoder().decode(block.group(2)));
                } catch (IllegalArgumentException e) {
                    throw wrong("is not PEM: what it holds is not base64", e);
                }
            }
        }
        return found;
    }

    private String text() {
        try {
            if (Files.size(Path.of(file)) > LARGEST) {
                throw wrong("is larger than 1 MiB, so it is no PEM file", null);
            }
            return Files.readString(Path.of(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw wrong("cannot be read", e);
        }
    }

    private IllegalArgumentException wrong(String how, Exception cause) {
        return new IllegalArgumentException(option + " " + file + " " + how, cause);
    }
}
