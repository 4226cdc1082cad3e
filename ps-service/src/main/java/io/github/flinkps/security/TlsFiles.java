package io.github.flinkps.security;

import java.io.Serializable;

/**
 * The files with the keys of one end: PEM files, each null if there is none.
 *
 * @param certificate chain of this end's certificate, its own first
 * @param key private key that belongs to it, PKCS #8 and not encrypted
 * @param trust certificates of the authorities by which the other end is known
 */
public record TlsFiles(String certificate, String key, String trust) implements Serializable {
    public static final String CERTIFICATE = "tls-certificate";
    public static final String KEY = "tls-key";
    public static final String TRUST = "tls-trust";

    /** Names no file: there is no TLS. */
    public static final TlsFiles NONE = new TlsFiles(null, null, null);

    public TlsFiles {
        if ((certificate == null) != (key == null)) {
            throw new IllegalArgumentException(
                    certificate == null
                            ? KEY + " needs " + CERTIFICATE + " too"
                            : CERTIFICATE + " needs " + KEY + " too");
        }
    }
}
