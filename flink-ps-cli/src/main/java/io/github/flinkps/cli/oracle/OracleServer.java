package io.github.flinkps.cli.oracle;

import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import java.io.IOException;

/**
 * The main class of server processes: what {@code flink-ps server} runs, over a storage that can be
 * made to fail. Writes the line {@code port N} and ends with its standard input.
 */
public final class OracleServer {
    static final String PORT = "port ";

    private OracleServer() {}

    /**
     * @param args the port to listen on, 0 for any
     */
    public static void main(String[] args) throws IOException {
        ServerConfig config = ServerConfig.defaults().withPort(Integer.parseInt(args[0]));
        try (ParameterServer server =
                ParameterServer.start(config, new OracleStorage(new LocalModelStorage()))) {
            System.out.println(PORT + server.port());
            System.out.flush();
            while (System.in.read() >= 0) {
                // Nothing is said; only the end matters.
            }
        }
    }
}
