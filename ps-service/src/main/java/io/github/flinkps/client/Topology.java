package io.github.flinkps.client;

/** The owner threads of all servers in one numbering: links. Immutable. */
final class Topology {
    private final int[] first;
    private final int[] serverOf;

    /** Makes the topology of servers with these numbers of owner threads. */
    Topology(int[] owners) {
        first = new int[owners.length + 1];
        for (int server = 0; server < owners.length; server++) {
            first[server + 1] = first[server] + owners[server];
        }
        serverOf = new int[first[owners.length]];
        for (int server = 0; server < owners.length; server++) {
            for (int link = first[server]; link < first[server + 1]; link++) {
                serverOf[link] = server;
            }
        }
    }

    int servers() {
        return first.length - 1;
    }

    int owners(int server) {
        return first[server + 1] - first[server];
    }

    int links() {
        return serverOf.length;
    }

    int link(int server, int owner) {
        return first[server] + owner;
    }

    int server(int link) {
        return serverOf[link];
    }

    int owner(int link) {
        return link - first[serverOf[link]];
    }
}
