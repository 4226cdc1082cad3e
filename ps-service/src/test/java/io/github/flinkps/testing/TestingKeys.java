package io.github.flinkps.testing;

import io.github.flinkps.security.Authority;
import io.github.flinkps.security.TlsFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Keys and tokens in a folder: an authority, and what it has signed. */
public final class TestingKeys {
    public static final Duration VALIDITY = Duration.ofDays(30);

    private final Path folder;
    private final Authority authority;

    /** Creates an authority whose files go to a folder, which must be there. */
    public TestingKeys(Path folder) {
        this.folder = folder;
        this.authority = Authority.create("test authority", Instant.now(), VALIDITY);
        write("ca", authority.identity());
    }

    /** Returns the certificate file of the authority. */
    public String authorityFile() {
        return path("ca.pem");
    }

    public String path(String file) {
        return folder.resolve(file).toString();
    }

    private TlsFiles write(String name, Authority.Identity identity) {
        try {
            identity.write(folder.resolve(name + ".pem"), folder.resolve(name + "-key.pem"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new TlsFiles(path(name + ".pem"), path(name + "-key.pem"), authorityFile());
    }

    /** Writes the keys of a server, in place of what its files hold, and returns them. */
    public TlsFiles server(String... hosts) {
        return server(Instant.now(), hosts);
    }

    /** Writes the keys of a server that are valid from a day before that time. */
    public TlsFiles server(Instant from, String... hosts) {
        return write("server", authority.server("a server", List.of(hosts), from, VALIDITY));
    }

    /**
     * Writes a store of Java that has the authority, and keys for both ends of a connection.
     *
     * @param password of the store and of the key
     * @return the file
     */
    public String store(String name, String type, String password) {
        Authority.Identity peer = authority.peer(VALIDITY);
        try (OutputStream out = Files.newOutputStream(folder.resolve(name))) {
            KeyStore store = KeyStore.getInstance(type);
            store.load(null, null);
            store.setKeyEntry(
                    "peer",
                    peer.key(),
                    password.toCharArray(),
                    new Certificate[] {peer.certificate()});
            store.setCertificateEntry("authority", authority.identity().certificate());
            store.store(out, password.toCharArray());
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        return path(name);
    }

    /** Writes the keys of a client and returns them. */
    public TlsFiles client(String name) {
        return client(Instant.now(), name);
    }

    /** Writes keys of a client that are valid from a time on. */
    public TlsFiles client(Instant from, String name) {
        return write(name, authority.client(name, from, VALIDITY));
    }

    /** Returns what a client trusts that has no certificate of its own. */
    public TlsFiles trust() {
        return new TlsFiles(null, null, authorityFile());
    }

    /** Writes a file of tokens and returns its path. */
    public String tokens(String file, String... lines) {
        try {
            Authority.writeSecret(folder.resolve(file), String.join("\n", lines) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return path(file);
    }

    /** Replaces a file by another's content, as a rename does. */
    public void replace(String file, Path other) throws IOException {
        Path next = folder.resolve(file + ".next");
        Files.copy(other, next);
        Files.move(next, folder.resolve(file), StandardCopyOption.ATOMIC_MOVE);
    }
}
