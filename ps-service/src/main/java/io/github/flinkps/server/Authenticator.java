package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.HelloMessage;
import io.github.flinkps.security.AccessRules;
import io.github.flinkps.security.Token;
import io.github.flinkps.transport.Connection;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Knows clients by what they show. Confined to the control loop. */
final class Authenticator {
    /**
     * A client that is let in.
     *
     * @param identity under which its sessions and lists of keys are kept: no client of another
     *     name has it, whatever number it says
     * @param name that it has proved to have; null for one of this process or of the same keys as
     *     the server, and for all clients of a server that asks nobody
     */
    record Client(long identity, String name) {}

    private final boolean asks;
    private final boolean ofPeers;
    private final Token tokens;

    /**
     * Makes the authenticator of a server.
     *
     * @throws IllegalArgumentException naming the option whose file is wrong
     */
    Authenticator(ServerSecurity security) {
        this.asks = security.asks();
        this.ofPeers = security.isOfPeers();
        this.tokens = security.tokenFile() == null ? null : Token.ofServer(security.tokenFile());
    }

    /**
     * Returns who a client is.
     *
     * @throws PsException UNAUTHENTICATED
     */
    Client client(Connection connection, HelloMessage.Request hello) {
        if (!asks || connection.isLocal()) {
            return new Client(hello.client(), null);
        }
        if (hello.mechanism() == HelloMessage.TOKEN) {
            if (tokens == null) {
                throw new PsException(
                        ErrorCode.UNAUTHENTICATED,
                        "the server takes no tokens: set tls-certificate and tls-key instead");
            }
            String name = tokens.nameOf(hello.credential());
            if (name == null) {
                throw new PsException(
                        ErrorCode.UNAUTHENTICATED, "the token is not one that the server knows");
            }
            return new Client(mix("token " + name, hello.client()), name);
        }
        String certified = connection.certified();
        if (certified == null) {
            throw new PsException(
                    ErrorCode.UNAUTHENTICATED,
                    "the server wants to know its clients: set token-file, or tls-certificate and"
                            + " tls-key");
        }
        if (certified.equals(AccessRules.EVERYBODY) && !ofPeers) {
            throw new PsException(
                    ErrorCode.UNAUTHENTICATED,
                    "a certificate can name nobody " + certified + ", which means everybody");
        }
        return new Client(
                mix("certificate " + certified, hello.client()), ofPeers ? null : certified);
    }

    /** Returns whether files say who is let in that {@link #look} is to look at. */
    boolean looks() {
        return tokens != null;
    }

    /** Looks whether files have changed that say who is let in. */
    void look() {
        tokens.look();
    }

    private static long mix(String name, long client) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(ByteBuffer.allocate(Long.BYTES).putLong(0, client));
            return ByteBuffer.wrap(digest.digest(name.getBytes(StandardCharsets.UTF_8))).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
