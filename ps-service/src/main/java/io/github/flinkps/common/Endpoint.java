package io.github.flinkps.common;

import java.io.Serializable;

/**
 * The address of a server.
 *
 * @param host name or address
 * @param port 1 to 65535
 */
public record Endpoint(String host, int port) implements Serializable {
    public Endpoint {
        if (host.isEmpty() || host.matches(".*[,;\\s].*") || port < 1 || port > 65535) {
            throw new IllegalArgumentException(
                    "not an address: '" + host + ":" + port + "'; expected host:port");
        }
    }

    /** Reads {@code host:port}; an IPv6 address stands in brackets. */
    public static Endpoint parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon > 0) {
            String host = text.substring(0, colon);
            if (host.startsWith("[") && host.endsWith("]")) {
                host = host.substring(1, host.length() - 1);
            }
            try {
                return new Endpoint(host, Integer.parseInt(text.substring(colon + 1)));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "not an address: '" + text + "'; expected host:port", e);
            }
        }
        throw new IllegalArgumentException("not an address: '" + text + "'; expected host:port");
    }

    @Override
    public String toString() {
        return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }
}
