package io.github.flinkps.cli.operations;

import io.github.flinkps.common.Range;
import io.github.flinkps.server.OptionType;
import io.github.flinkps.server.ServerOption;
import io.github.flinkps.server.ServerSecurity;
import java.util.List;
import java.util.Map;

/**
 * The address on which a server tells of itself by HTTP.
 *
 * @param host address of this machine; nothing beyond loopback without authentication
 * @param port 0 for any free one
 */
public record HttpListen(String host, int port) {
    private static final ServerOption<String> HOST =
            new ServerOption<>(
                    "http-host",
                    OptionType.TEXT,
                    Range.any(),
                    machine -> "127.0.0.1",
                    "127.0.0.1",
                    "Address of this machine for http-port. Beyond loopback it speaks HTTPS by the"
                            + " keys of the server, and asks for a token or certificate.");

    private static final ServerOption<Integer> PORT =
            new ServerOption<>(
                    "http-port",
                    OptionType.COUNT,
                    Range.between(0, 65535),
                    machine -> null,
                    "none",
                    "Port on which the server says by HTTP whether it lives (/healthz), whether it"
                            + " is ready (/readyz), and what it does (/metrics, for Prometheus); 0"
                            + " for any free one.");

    /** The options, in the order in which they are shown. */
    public static final List<ServerOption<?>> OPTIONS = List.of(HOST, PORT);

    /**
     * Returns the address that is given; null without a port.
     *
     * @param given texts of options by key
     * @throws IllegalArgumentException naming the option whose value is wrong
     */
    public static HttpListen of(Map<String, String> given) {
        String port = given.get(PORT.key());
        if (port == null) {
            if (given.containsKey(HOST.key())) {
                throw new IllegalArgumentException(HOST.key() + " needs " + PORT.key() + " too");
            }
            return null;
        }
        return new HttpListen(
                given.containsKey(HOST.key()) ? given.get(HOST.key()) : "127.0.0.1",
                PORT.read(port));
    }

    /**
     * Returns whether clients must prove who they are, inside TLS.
     *
     * @throws IllegalArgumentException naming the options to set, if they cannot
     */
    boolean asks(ServerSecurity security) {
        security.checkListens(HOST.key(), host);
        return !security.plaintext() && !ServerSecurity.isLoopback(HOST.key(), host);
    }
}
