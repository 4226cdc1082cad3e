package io.github.flinkps.client;

import io.github.flinkps.security.JobKeys;
import io.github.flinkps.security.Tls;
import io.github.flinkps.security.TlsFiles;
import io.github.flinkps.security.Token;
import java.io.Serializable;

/**
 * How a client knows servers, and how they know it: by files of the machine that it runs on, or by
 * the keys of a job.
 *
 * @param tls files of its keys, and of the authorities by which it knows servers
 * @param tokenFile file with its token, or null for none
 * @param job keys of the job that it belongs to, in place of files; or null
 */
public record ClientSecurity(TlsFiles tls, String tokenFile, JobKeys job) implements Serializable {
    /** A client that neither encrypts nor shows anything. */
    public static final ClientSecurity NONE = new ClientSecurity(TlsFiles.NONE, null);

    /** Knows and is known by files. */
    public ClientSecurity(TlsFiles tls, String tokenFile) {
        this(tls, tokenFile, null);
    }

    /** Returns that of a client of servers of the same job. */
    public static ClientSecurity ofJob(JobKeys keys) {
        return new ClientSecurity(TlsFiles.NONE, null, keys);
    }

    /**
     * Returns what encrypts connections, or null if nothing does.
     *
     * @throws IllegalArgumentException naming the option whose file is wrong
     */
    Tls encryption() {
        if (job != null) {
            return job.client();
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
