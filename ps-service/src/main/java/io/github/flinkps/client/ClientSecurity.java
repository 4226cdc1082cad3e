package io.github.flinkps.client;

import io.github.flinkps.security.PeerKeys;
import io.github.flinkps.security.PinnedServers;
import io.github.flinkps.security.Tls;
import io.github.flinkps.security.TlsFiles;
import io.github.flinkps.security.Token;
import java.io.Serializable;

/**
 * The identities of a client and its servers, by which each knows the other: files of the machine
 * that the client runs on, or keys that both share. Serializable if those are.
 *
 * @param tls files of its keys, and of the authorities by which it knows servers
 * @param tokenFile file with its token, or null for none
 * @param peers keys that it and the servers share, in place of files; or null
 * @param pinned servers that are known by their certificates, in place of files; or null
 * @param readerTokenFile file with the token for servers inside jobs, which {@link #ofReader} is
 *     for; or null. Never the token of {@code tokenFile}: other people's jobs see it
 */
public record ClientSecurity(
        TlsFiles tls,
        String tokenFile,
        PeerKeys peers,
        PinnedServers pinned,
        String readerTokenFile)
        implements Serializable {
    /** A client that neither encrypts nor shows anything. */
    public static final ClientSecurity NONE = new ClientSecurity(TlsFiles.NONE, null);

    /** Knows and is known by files. */
    public ClientSecurity(TlsFiles tls, String tokenFile) {
        this(tls, tokenFile, null, null, null);
    }

    /** Returns the security of a client that shares these keys with its servers. */
    public static ClientSecurity ofPeers(PeerKeys keys) {
        return new ClientSecurity(TlsFiles.NONE, null, keys, null, null);
    }

    /** Returns this security with a token for servers inside jobs. */
    public ClientSecurity withReaderToken(String file) {
        return new ClientSecurity(tls, tokenFile, peers, pinned, file);
    }

    /** Returns the security of a reader of servers inside jobs, whose certificates jobs publish. */
    public ClientSecurity ofReader(PinnedServers servers) {
        return new ClientSecurity(TlsFiles.NONE, readerTokenFile, null, servers, null);
    }

    /**
     * Returns the encryption of connections, or null if they are plain.
     *
     * @throws IllegalArgumentException naming the option whose file is wrong
     */
    Tls encryption() {
        if (peers != null) {
            return peers.client();
        }
        if (pinned != null) {
            return pinned.client();
        }
        return tls.trust() == null ? null : Tls.ofClient(tls);
    }

    public ClientSecurity {
        boolean known = tls.trust() != null || pinned != null;
        if (!known && (tls.key() != null || tokenFile != null)) {
            throw new IllegalArgumentException(
                    (tokenFile == null ? TlsFiles.CERTIFICATE : Token.FILE)
                            + " needs "
                            + TlsFiles.TRUST
                            + " too: it is shown only to a server that is known");
        }
    }
}
