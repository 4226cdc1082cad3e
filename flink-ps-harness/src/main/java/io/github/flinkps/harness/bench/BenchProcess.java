package io.github.flinkps.harness.bench;

import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import java.io.IOException;

/**
 * The main class of the children: a server, or the far end of the bare transfer. Writes the line
 * {@code port N}, and ends with its standard input, so that none outlives its parent.
 */
public final class BenchProcess {
    static final String PORT = "port ";
    static final String SERVER = "server";
    static final String BARE = "bare";

    private BenchProcess() {}

    public static void main(String[] args) throws IOException {
        if (args[0].equals(SERVER)) {
            try (ParameterServer server =
                    ParameterServer.start(ServerConfig.defaults(), new LocalModelStorage())) {
                serve(server.port());
            }
        } else {
            try (BareServer server = new BareServer(Integer.parseInt(args[1]))) {
                serve(server.port());
            }
        }
    }

    private static void serve(int port) throws IOException {
        System.out.println(PORT + port);
        System.out.flush();
        while (System.in.read() >= 0) {
            // Nothing is said; only the end matters.
        }
    }
}
