package io.github.flinkps.client;

import io.github.flinkps.security.PeerKeys;
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
 */
public record ClientSecurity(TlsFiles tls, String tokenFile, PeerKeys peers)
        implements Serializable {
    /** A client that neither encrypts nor shows anything. */
    public static final ClientSecurity NONE = new ClientSecurity(TlsFiles.NONE, null);

    /** Knows and is known by files. */
    public ClientSecurity(TlsFiles tls, String tokenFile) {
        this(tls, tokenFile, null);
    }

    /** Returns that of a client of servers of the same keys. */
    public static ClientSecurity ofPeers(PeerKeys keys) {
        return new ClientSecurity(TlsFiles.NONE, null, keys);
    }

    /**
     * Returns what encrypts connections, or null if nothing does.
     *
     * @throws IllegalArgumentException naming the option whose file is wrong
     */
    Tls encryption() {
        if (peers != null) {
            return peers.client();
        }
        return tls.trust() == null ? null : Tls.ofClient(tls);
    }

    public ClientSecurity {
        if (tls.trust() == null && (tls.key() != null || tokenFile != null)) {
            throw new IllegalArgumentException(
                    (tokenFile == null ? TlsFiles.CERTIFICATE : Token.FILE)
                            + " needs "
                            + TlsFiles.TRUST
                            + " too: it is shown only to a server that is known");
        }
    }
}
