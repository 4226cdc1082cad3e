package io.github.flinkps.security;

/**
 * The keys that processes that belong together show each other, and by which they know each other.
 * They are the same at both ends of a connection.
 */
public interface PeerKeys {
    /**
     * Returns what encrypts connections of a server, and takes certificates of its peers only.
     *
     * @param mayLack whether a client without a certificate is let through, to show a token
     * @throws IllegalArgumentException naming what is wrong with the keys
     */
    Tls server(boolean mayLack);

    /**
     * Returns what encrypts connections to a server, and takes peers only.
     *
     * @throws IllegalArgumentException naming what is wrong with the keys
     */
    Tls client();

    /**
     * Returns by which certificates others know a server that has these keys.
     *
     * @throws IllegalArgumentException naming what is wrong with the keys
     */
    PinnedServers pinned();
}
