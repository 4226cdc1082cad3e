package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.Range;
import io.github.flinkps.security.AccessRules;
import io.github.flinkps.security.PeerKeys;
import io.github.flinkps.security.Tls;
import io.github.flinkps.security.TlsFiles;
import io.github.flinkps.security.Token;
import io.github.flinkps.server.ServerOption.Machine;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;

/**
 * The security of a server: how it proves who it is, and how its clients do.
 *
 * @param tls files of its keys
 * @param tokenFile tokens of clients, or null for none
 * @param aclFile what clients may do, or null if all that are let in may do everything
 * @param plaintext whether it may be reached from other machines without encryption and
 *     authentication
 * @param peers keys that it and its clients share, in place of files; or null
 */
public record ServerSecurity(
        TlsFiles tls, String tokenFile, String aclFile, boolean plaintext, PeerKeys peers) {
    public static final ServerOption<String> TLS_CERTIFICATE =
            file(
                    TlsFiles.CERTIFICATE,
                    "PEM file with the certificate of the server, and those that lead from it to an"
                            + " authority.");

    public static final ServerOption<String> TLS_KEY =
            file(TlsFiles.KEY, "PEM file with the private key of that certificate.");

    public static final ServerOption<String> TLS_TRUST =
            file(
                    TlsFiles.TRUST,
                    "PEM file with the authorities whose certificates clients show. Each client"
                            + " must, unless tokens are taken too.");

    public static final ServerOption<String> TOKEN_FILE =
            file(
                    Token.FILE,
                    "File with a line NAME:TOKEN for each client that shows a token. Of a server"
                            + " inside a job such clients may read.");

    public static final ServerOption<String> ACL_FILE =
            file(
                    AccessRules.FILE,
                    "File with a line CLIENT RIGHT MODELS for what each client may do: read, train"
                            + " or administer. Without it all that are let in may do everything.");

    public static final ServerOption<Boolean> INSECURE_PLAINTEXT =
            new ServerOption<>(
                    "insecure-plaintext",
                    OptionType.FLAG,
                    Range.any(),
                    "false",
                    "Permission to be reached from other machines without encryption and"
                            + " authentication, such as behind a mesh that has both.");

    static final List<ServerOption<?>> OPTIONS =
            List.of(TLS_CERTIFICATE, TLS_KEY, TLS_TRUST, TOKEN_FILE, ACL_FILE, INSECURE_PLAINTEXT);

    /** A server that neither encrypts nor asks clients who they are. */
    public static final ServerSecurity NONE = new ServerSecurity(TlsFiles.NONE, null, false);

    /** Proves who it is by files. */
    public ServerSecurity(TlsFiles tls, String tokenFile, boolean plaintext) {
        this(tls, tokenFile, null, plaintext, null);
    }

    /**
     * Returns the security of a server that lets in clients which share these keys, and readers.
     *
     * @param readers file with the tokens of clients that may read; null: there are none
     */
    public static ServerSecurity ofPeers(PeerKeys keys, String readers) {
        return new ServerSecurity(TlsFiles.NONE, readers, null, false, keys);
    }

    public ServerSecurity {
        if (!encrypts(tls, peers) && (tls.trust() != null || tokenFile != null)) {
            throw new IllegalArgumentException(
                    (tokenFile == null ? TlsFiles.TRUST : Token.FILE)
                            + " needs "
                            + TlsFiles.CERTIFICATE
                            + " and "
                            + TlsFiles.KEY
                            + " too: who a client is can be shown inside TLS only");
        }
        if (aclFile != null && tls.trust() == null && tokenFile == null) {
            throw new IllegalArgumentException(
                    AccessRules.FILE
                            + " needs "
                            + TlsFiles.TRUST
                            + " or "
                            + Token.FILE
                            + " too: without them nobody knows who a client is");
        }
        if (plaintext && tls.key() != null) {
            throw new IllegalArgumentException(
                    INSECURE_PLAINTEXT.key()
                            + " and "
                            + TlsFiles.CERTIFICATE
                            + " exclude each other");
        }
    }

    private static ServerOption<String> file(String key, String description) {
        return new ServerOption<>(
                key, OptionType.TEXT, Range.any(), machine -> null, "none", description);
    }

    /**
     * Returns whether no other machine reaches what listens on a host.
     *
     * @param option that names the host
     * @throws IllegalArgumentException if the host is empty
     * @throws PsException IO if its name is not known
     */
    public static boolean isLoopback(String option, String host) {
        if (host.isBlank()) {
            throw new IllegalArgumentException(option + " must be a name or an address, not empty");
        }
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new PsException(
                    ErrorCode.IO,
                    "cannot listen on "
                            + host
                            + ": its name is not known; choose another --"
                            + option,
                    e);
        }
    }

    /**
     * Checks that what other machines reach on a host encrypts and asks who they are, unless it is
     * said that it need not.
     *
     * @param option that names the host
     * @throws IllegalArgumentException naming the options to set
     */
    public void checkListens(String option, String host) {
        boolean guarded = encrypts() && asks();
        if (!plaintext && !guarded && !isLoopback(option, host)) {
            throw new IllegalArgumentException(
                    option
                            + " "
                            + host
                            + " is not loopback, and what other machines reach must encrypt and"
                            + " ask who they are: set tls-certificate and tls-key, and tls-trust or"
                            + " token-file (or insecure-plaintext, which does neither)");
        }
    }

    static ServerSecurity of(Map<String, String> given, Machine machine) {
        return new ServerSecurity(
                new TlsFiles(
                        TLS_CERTIFICATE.of(given, machine),
                        TLS_KEY.of(given, machine),
                        TLS_TRUST.of(given, machine)),
                TOKEN_FILE.of(given, machine),
                ACL_FILE.of(given, machine),
                INSECURE_PLAINTEXT.of(given, machine),
                null);
    }

    /** Returns whether connections are encrypted. */
    public boolean encrypts() {
        return encrypts(tls, peers);
    }

    private static boolean encrypts(TlsFiles tls, PeerKeys peers) {
        return tls.key() != null || peers != null;
    }

    /** Returns whether clients that share its keys may do everything, and others read at most. */
    boolean isOfPeers() {
        return peers != null;
    }

    /** Returns whether clients must prove who they are. */
    public boolean asks() {
        return tls.trust() != null || tokenFile != null || peers != null;
    }

    /**
     * Returns what clients may do. Warns of rules that permit nothing.
     *
     * @throws IllegalArgumentException naming the file, if it is wrong
     */
    AccessRules rules() {
        if (peers != null) {
            return AccessRules.ofReaders();
        }
        if (aclFile == null) {
            return AccessRules.none();
        }
        return AccessRules.ofFile(aclFile, tokenFile, tls.trust() != null);
    }

    /**
     * Returns the encryption of connections, or null if they are plain.
     *
     * @throws IllegalArgumentException naming the option whose file is wrong
     */
    public Tls encryption() {
        if (peers != null) {
            return peers.server(tokenFile != null);
        }
        return encrypts() ? Tls.ofServer(tls, tokenFile != null) : null;
    }
}
