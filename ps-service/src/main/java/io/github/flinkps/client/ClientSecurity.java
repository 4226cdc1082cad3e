package io.github.flinkps.client;

import io.github.flinkps.security.TlsFiles;
import io.github.flinkps.security.Token;
import java.io.Serializable;

/**
 * How a client knows servers, and how they know it. Names files of the machine that it runs on, and
 * so holds no secret itself.
 *
 * @param tls files of its keys, and of the authorities by which it knows servers
 * @param tokenFile file with its token, or null for none
 */
public record ClientSecurity(TlsFiles tls, String tokenFile) implements Serializable {
    /** A client that neither encrypts nor shows anything. */
    public static final ClientSecurity NONE = new ClientSecurity(TlsFiles.NONE, null);

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
