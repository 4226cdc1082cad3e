package io.github.flinkps.security;

import io.github.flinkps.common.Endpoint;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.ReferenceCountedOpenSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.FingerprintTrustManagerFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.TrustManagerFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Encrypts connections by TLS 1.3, by OpenSSL where it loads and else by the JDK. Keys and
 * certificates are read again when their files have changed, and count for the connections that are
 * made from then on. Safe for use by any thread.
 */
public final class Tls {
    /** The fewest bytes that are not copied; as much as a record holds. */
    private static final int LITTLE_BYTES = 16 * 1024;

    /** A record, which OpenSSL takes byte by byte. */
    private static final int OPENSSL_PART_BYTES = 20 * 1024;

    /** A buffer that a read was added to, as the JDK takes whole records. */
    private static final int JDK_PART_BYTES = 128 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(Tls.class);
    private static final SslProvider PROVIDER =
            OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK;

    /** The fingerprint of no certificate. */
    private static final String NONE = "00".repeat(32);

    private final Supplier<SslContext> context;

    /** True if a file says by which authorities servers are known; their name is checked then. */
    private final boolean ofTrust;

    private final SslProvider provider;

    private Tls(Supplier<SslContext> context, boolean ofTrust, SslProvider provider) {
        this.context = context;
        this.ofTrust = ofTrust;
        this.provider = provider;
    }

    /** Returns how much memory the part of a record takes that has arrived, at most. */
    public int partBytes() {
        return provider == SslProvider.OPENSSL ? OPENSSL_PART_BYTES : JDK_PART_BYTES;
    }

    /** Returns the encryption by a builder's keys, which do not change, and its trust. */
    static Tls of(SslContextBuilder builder) {
        SslContext built = build(builder, PROVIDER);
        return new Tls(() -> built, false, PROVIDER);
    }

    /**
     * Returns the encryption by a builder's keys and trust; it is built anew when files change.
     *
     * @throws IllegalArgumentException if the builder throws it
     */
    static Tls of(List<Path> files, Supplier<SslContextBuilder> builder) {
        return new Tls(
                new FileValue<>(files, () -> build(builder.get(), PROVIDER))::get, false, PROVIDER);
    }

    /**
     * Returns the encryption of a server. Where files of trust are named, the server asks clients
     * for certificates. When files of trust have nothing any more, it takes none.
     *
     * @param mayLack whether a client without a certificate is let through, to show a token
     * @throws IllegalArgumentException naming the option whose file is wrong
     */
    public static Tls ofServer(TlsFiles files, boolean mayLack) {
        return ofServer(files, mayLack, PROVIDER);
    }

    static Tls ofServer(TlsFiles files, boolean mayLack, SslProvider provider) {
        ClientAuth asked =
                files.trust() == null
                        ? ClientAuth.NONE
                        : mayLack ? ClientAuth.OPTIONAL : ClientAuth.REQUIRE;
        FileValue<Identity> own = identity(files, provider);
        Supplier<TrustManagerFactory> trusted =
                files.trust() == null
                        ? () -> null
                        : new FileValue<>(
                                        List.of(Path.of(files.trust())),
                                        () -> authorities(files),
                                        () -> taking(List.of(NONE)),
                                        System::nanoTime)
                                ::get;
        return new Tls(
                contexts(
                        own::get,
                        trusted,
                        (now, trust) ->
                                build(
                                        SslContextBuilder.forServer(now.key(), now.chain())
                                                .trustManager(trust)
                                                .clientAuth(asked),
                                        provider)),
                false,
                provider);
    }

    /**
     * Returns the encryption of a client. The client takes servers whose certificate an authority
     * of the files of trust has signed, and that has the name under which they are reached.
     *
     * @throws IllegalArgumentException naming the option whose file is wrong
     */
    public static Tls ofClient(TlsFiles files) {
        return ofClient(files, PROVIDER);
    }

    static Tls ofClient(TlsFiles files, SslProvider provider) {
        if (files.trust() == null) {
            throw new IllegalArgumentException(
                    TlsFiles.CERTIFICATE
                            + " needs "
                            + TlsFiles.TRUST
                            + " too, by which the server is known");
        }
        Supplier<Identity> own = files.key() == null ? () -> null : identity(files, provider)::get;
        FileValue<TrustManagerFactory> trusted =
                new FileValue<>(List.of(Path.of(files.trust())), () -> authorities(files));
        return new Tls(
                contexts(
                        own,
                        trusted::get,
                        (now, trust) -> {
                            SslContextBuilder builder =
                                    SslContextBuilder.forClient().trustManager(trust);
                            if (now != null) {
                                builder.keyManager(now.key(), now.chain());
                            }
                            return build(builder, provider);
                        }),
                true,
                provider);
    }

    /** Returns trust in the certificates of these SHA-256 fingerprints, and in no others. */
    static TrustManagerFactory taking(List<String> fingerprints) {
        return FingerprintTrustManagerFactory.builder("SHA-256").fingerprints(fingerprints).build();
    }

    /** A key and the certificates of who has it. */
    private record Identity(PrivateKey key, X509Certificate[] chain) {}

    /**
     * Returns contexts of an identity and a trust, each of which counts by itself as soon as its
     * files have changed: authorities that are taken out are so while a key does not fit.
     */
    private static Supplier<SslContext> contexts(
            Supplier<Identity> identity,
            Supplier<TrustManagerFactory> trust,
            BiFunction<Identity, TrustManagerFactory, SslContext> builder) {
        return new Supplier<>() {
            private Identity own = identity.get();
            private TrustManagerFactory trusted = trust.get();
            private SslContext built = builder.apply(own, trusted);

            @Override
            public synchronized SslContext get() {
                Identity ownNow = identity.get();
                TrustManagerFactory trustedNow = trust.get();
                if (!(Objects.equals(ownNow, own) && Objects.equals(trustedNow, trusted))) {
                    built = builder.apply(ownNow, trustedNow);
                    own = ownNow;
                    trusted = trustedNow;
                }
                return built;
            }
        };
    }

    /** Returns the authorities of the file of trust; throws NothingThere if it has none. */
    private static TrustManagerFactory authorities(TlsFiles files) {
        PemFile file = new PemFile(TlsFiles.TRUST, files.trust());
        try {
            TrustManagerFactory factory =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            X509Certificate[] certificates = file.certificates();
            for (int i = 0; i < certificates.length; i++) {
                store.setCertificateEntry("authority-" + i, certificates[i]);
            }
            factory.init(store);
            return factory;
        } catch (IllegalArgumentException e) {
            throw file.isNothing() ? new FileValue.NothingThere(e.getMessage(), e) : e;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException(
                    TlsFiles.TRUST + " " + files.trust() + " cannot be used: " + e.getMessage(), e);
        }
    }

    private static FileValue<Identity> identity(TlsFiles files, SslProvider provider) {
        return new FileValue<>(
                List.of(Path.of(files.certificate()), Path.of(files.key())),
                () -> {
                    PemFile keyFile = new PemFile(TlsFiles.KEY, files.key());
                    PrivateKey key = keyFile.privateKey();
                    X509Certificate[] chain = chain(files, keyFile, key);
                    build(SslContextBuilder.forServer(key, chain), provider); // can it be used?
                    keyFile.warnIfOpen();
                    return new Identity(key, chain);
                });
    }

    private static X509Certificate[] chain(TlsFiles files, PemFile keyFile, PrivateKey key) {
        X509Certificate[] chain =
                new PemFile(TlsFiles.CERTIFICATE, files.certificate()).certificates();
        keyFile.checkFits(key, chain[0], files.certificate());
        try {
            chain[0].checkValidity();
        } catch (CertificateException e) {
            LOG.warn(
                    "{} {} is not valid now: {}",
                    TlsFiles.CERTIFICATE,
                    files.certificate(),
                    e.getMessage());
        }
        return chain;
    }

    private static SslContext build(SslContextBuilder builder, SslProvider provider) {
        try {
            return builder.sslProvider(provider).protocols("TLSv1.3").build();
        } catch (SSLException e) {
            throw new IllegalArgumentException(
                    TlsFiles.CERTIFICATE + " cannot be used: " + e.getMessage(), e);
        }
    }

    /**
     * Returns the common name in the certificate that the other end of a connection has proved, or
     * null if it has shown none.
     *
     * @throws PsException UNAUTHENTICATED if it is not valid now
     */
    public static String nameOfPeer(SslHandler handler) {
        try {
            X509Certificate peer =
                    (X509Certificate) handler.engine().getSession().getPeerCertificates()[0];
            peer.checkValidity(); // a session that is resumed may have outlived it
            LdapName subject = new LdapName(peer.getSubjectX500Principal().getName());
            for (Rdn part : subject.getRdns()) {
                if (part.getType().equalsIgnoreCase("CN")) {
                    return part.getValue().toString();
                }
            }
            return subject.toString();
        } catch (SSLPeerUnverifiedException none) {
            return null;
        } catch (CertificateException e) {
            throw new PsException(
                    ErrorCode.UNAUTHENTICATED,
                    "the client's certificate is not valid now: " + e.getMessage(),
                    e);
        } catch (InvalidNameException e) {
            throw new IllegalStateException(e); // a certificate's subject is a name
        }
    }

    /** Looks whether files have changed. Call it each second, so that none counts too long. */
    public void look() {
        SslContext unused = context.get();
    }

    /** Returns whether this encrypts for a client whose {@code tls-trust} asks for TLS. */
    public boolean isOfTrust() {
        return ofTrust;
    }

    /**
     * Returns the handler that encrypts one connection.
     *
     * @param peer at a client, the server that is reached; at a server null
     */
    public SslHandler handler(ByteBufAllocator allocator, Endpoint peer, long timeoutMillis) {
        SslContext now = context.get();
        SslHandler handler =
                peer == null
                        ? now.newHandler(allocator)
                        : now.newHandler(allocator, peer.host(), peer.port());
        if (ofTrust) {
            SSLParameters parameters = handler.engine().getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            handler.engine().setSSLParameters(parameters);
        }
        handler.setHandshakeTimeoutMillis(timeoutMillis);
        if (now instanceof ReferenceCountedOpenSslContext) {
            handler.setCumulator(Tls::cumulate);
        }
        return handler;
    }

    /**
     * Adds what was read to the part of a record that is there. Netty's own way with OpenSSL keeps
     * the buffer of each read until the record is whole: what is sent byte by byte takes a whole
     * buffer for each. So little is copied to what is there, and only much is kept as it is.
     */
    private static ByteBuf cumulate(ByteBufAllocator allocator, ByteBuf there, ByteBuf read) {
        ByteToMessageDecoder.Cumulator way =
                read.readableBytes() < LITTLE_BYTES
                        ? ByteToMessageDecoder.MERGE_CUMULATOR
                        : ByteToMessageDecoder.COMPOSITE_CUMULATOR;
        return way.cumulate(allocator, there, read);
    }
}
