package io.github.flinkps.security;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.util.FingerprintTrustManagerFactory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * Keys in stores of Java, as the processes of a cluster have them. The stores are read again when
 * they change. Holds passwords, and so is not serializable. Safe for use by any thread.
 */
public final class StoreKeys implements PeerKeys {
    private final Store own;
    private final String keyPassword;
    private final Store trust;
    private final List<String> fingerprints;

    /**
     * A store.
     *
     * @param option that names it, for messages
     * @param type such as JKS or PKCS12
     */
    public record Store(String option, String file, String type, String password) {
        private KeyStore read() {
            try (InputStream in = Files.newInputStream(Path.of(file))) {
                KeyStore store = KeyStore.getInstance(type);
                store.load(in, password.toCharArray());
                return store;
            } catch (IOException | GeneralSecurityException e) {
                throw wrong(e);
            }
        }

        private IllegalArgumentException wrong(Exception cause) {
            return new IllegalArgumentException(
                    option + " " + file + " cannot be used: " + cause, cause);
        }

        /** Returns the name of the file, and nothing of the password. */
        @Override
        public String toString() {
            return file;
        }
    }

    /**
     * @param own with the key and certificate that are shown
     * @param keyPassword of the key in it
     * @param trust with the certificates, or authorities, of the others
     * @param fingerprints SHA-1, of the certificates that are taken in place of those that {@code
     *     trust} leads to; none: whatever it leads to
     */
    public StoreKeys(Store own, String keyPassword, Store trust, List<String> fingerprints) {
        this.own = own;
        this.keyPassword = keyPassword;
        this.trust = trust;
        this.fingerprints = List.copyOf(fingerprints);
    }

    @Override
    public Tls server(boolean mayLack) {
        return tls(
                () ->
                        SslContextBuilder.forServer(shown())
                                .trustManager(taken())
                                .clientAuth(mayLack ? ClientAuth.OPTIONAL : ClientAuth.REQUIRE));
    }

    @Override
    public Tls client() {
        return tls(() -> SslContextBuilder.forClient().keyManager(shown()).trustManager(taken()));
    }

    /** Returns the fingerprints of the store as it is now: a new certificate has another one. */
    @Override
    public PinnedServers pinned() {
        KeyStore store = own.read();
        List<String> found = new ArrayList<>();
        try {
            for (String alias : Collections.list(store.aliases())) {
                if (store.isKeyEntry(alias)
                        && store.getCertificate(alias) instanceof X509Certificate certificate) {
                    found.add(PinnedServers.fingerprint(certificate));
                }
            }
            return new PinnedServers(found);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw own.wrong(e);
        }
    }

    private Tls tls(Supplier<SslContextBuilder> builder) {
        return Tls.of(List.of(Path.of(own.file()), Path.of(trust.file())), builder);
    }

    private KeyManagerFactory shown() {
        KeyStore store = own.read();
        try {
            KeyManagerFactory factory =
                    KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, keyPassword.toCharArray());
            return factory;
        } catch (GeneralSecurityException e) {
            throw own.wrong(e);
        }
    }

    private TrustManagerFactory taken() {
        KeyStore store = trust.read();
        try {
            TrustManagerFactory factory =
                    fingerprints.isEmpty()
                            ? TrustManagerFactory.getInstance(
                                    TrustManagerFactory.getDefaultAlgorithm())
                            : FingerprintTrustManagerFactory.builder("SHA1")
                                    .fingerprints(fingerprints)
                                    .build();
            factory.init(store);
            return factory;
        } catch (GeneralSecurityException | RuntimeException e) {
            throw trust.wrong(e);
        }
    }

    /** Returns the names of the files, and nothing of the passwords. */
    @Override
    public String toString() {
        return own + ", " + trust;
    }
}
