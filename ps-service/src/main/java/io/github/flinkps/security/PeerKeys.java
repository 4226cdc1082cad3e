package io.github.flinkps.security;

/**
 * What processes that belong together show each other, and by which they know each other: the same
 * at both ends of a connection.
 */
public interface PeerKeys {
    /**
     * Returns what encrypts connections of a server, and takes those of its peers only.
     *
     * @throws IllegalArgumentException naming what is wrong with the keys
     */
    Tls server();

    /**
     * Returns what encrypts connections to a server, and takes peers only.
     *
     * @throws IllegalArgumentException naming what is wrong with the keys
     */
    Tls client();
}
