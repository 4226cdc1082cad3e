package io.github.flinkps.flink.service;

import java.util.List;

/**
 * The address of a server in a TaskManager: {@code host:port#name}, then {@code @machine} or {@code
 * !certificates}.
 *
 * @param reached host:port
 * @param name by which its own process knows it
 * @param machine that alone reaches it, in clear; empty: others do too, by TLS
 * @param certificates fingerprints by which readers with a token know it; none: it takes no such
 */
record EmbeddedAddress(String reached, String name, String machine, List<String> certificates) {
    private static final char NAME = '#';
    private static final char MACHINE = '@';
    private static final char CERTIFICATES = '!';
    private static final String BETWEEN = "+";

    EmbeddedAddress {
        certificates = List.copyOf(certificates);
    }

    /** Returns whether an address is one of these, not that of a server that runs by itself. */
    static boolean is(String address) {
        return address.indexOf(NAME) >= 0;
    }

    static EmbeddedAddress of(String address) {
        int name = address.indexOf(NAME);
        int certificates = end(address, CERTIFICATES, name, address.length());
        int machine = end(address, MACHINE, name, certificates);
        String pinned = address.substring(Math.min(certificates + 1, address.length()));
        return new EmbeddedAddress(
                address.substring(0, name),
                address.substring(name + 1, machine),
                address.substring(Math.min(machine + 1, certificates), certificates),
                pinned.isEmpty() ? List.of() : List.of(pinned.split("\\" + BETWEEN)));
    }

    private static int end(String address, char mark, int from, int otherwise) {
        int at = address.indexOf(mark, from);
        return at < 0 || at > otherwise ? otherwise : at;
    }

    /** Returns the address as it is published. */
    @Override
    public String toString() {
        return reached
                + NAME
                + name
                + (machine.isEmpty() ? "" : MACHINE + machine)
                + (certificates.isEmpty() ? "" : CERTIFICATES + String.join(BETWEEN, certificates));
    }
}
