package io.github.flinkps.client;

import io.github.flinkps.security.PeerKeys;
import io.github.flinkps.security.PinnedServers;
import io.github.flinkps.security.Tls;
import io.github.flinkps.security.TlsFiles;
import io.github.flinkps.security.Token;
import java.io.Serializable;

/**
 * How a client knows servers, and how they know it: by files of the machine that it runs on, or by
 * keys that both share. Serializable if those are.
 *
 * @param tls files of its keys, and of the authorities by which it knows servers
 * @param tokenFile file with its token, or null for none
 * @param peers keys that it and the servers share, in place of files; or null
 * @param pinned servers that are known by their certificates, in place of files; or null
 */
public record ClientSecurity(TlsFiles tls, String tokenFile, PeerKeys peers, PinnedServers pinned)
        implements Serializable {
    /** A client that neither encrypts nor shows anything. */
    public static final ClientSecurity NONE = new ClientSecurity(TlsFiles.NONE, null);

    /** Knows and is known by files. */
    public ClientSecurity(TlsFiles tls, String tokenFile) {
        this(tls, tokenFile, null, null);
    }

    /** Returns that of a client of servers of the same keys. */
    public static ClientSecurity ofPeers(PeerKeys keys) {
        return new ClientSecurity(TlsFiles.NONE, null, keys, null);
    }

    /** Returns that of a client that shows the same token to servers it knows otherwise. */
    public ClientSecurity withPinned(PinnedServers servers) {
        return new ClientSecurity(TlsFiles.NONE, tokenFile, null, servers);
    }

    /**
     * Returns what encrypts connections, or null if nothing does.
     *
     * @throws IllegalArgumentException naming the option whose file is wrong or missing
     */
    Tls encryption() {
        if (peers != null) {
            return peers.client();
        }
        if (pinned != null) {
            return pinned.client();
        }
        checkServersKnown();
        return tls.trust() == null ? null : Tls.ofClient(tls);
    }

    /**
     * Checks that servers which are reached by files are known before they are shown a token.
     *
     * @throws IllegalArgumentException naming the option that is missing
     */
    public void checkServersKnown() {
        if (tls.trust() == null && tokenFile != null) {
            throw needsTrust(Token.FILE);
        }
    }

    private static IllegalArgumentException needsTrust(String option) {
        return new IllegalArgumentException(
                option
                        + " needs "
                        + TlsFiles.TRUST
                        + " too: it is shown only to a server that is known");
    }

    public ClientSecurity {
        if (tls.trust() == null && tls.key() != null) {
            throw needsTrust(TlsFiles.CERTIFICATE);
        }
    }
}
