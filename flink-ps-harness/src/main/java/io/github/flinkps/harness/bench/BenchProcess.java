package io.github.flinkps.harness.bench;

import io.github.flinkps.harness.machines.TrialKeys;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.security.Tls;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * The main class of the children: a server, or the far end of the bare transfer, and their options
 * as {@code key=value}. Writes the line {@code port N}, and ends with its standard input, so that
 * none outlives its parent.
 */
public final class BenchProcess {
    static final String PORT = "port ";
    static final String SERVER = "server";
    static final String BARE = "bare";

    private BenchProcess() {}

    public static void main(String[] args) throws IOException {
        if (args[0].equals(SERVER)) {
            ServerConfig config =
                    ServerConfig.of(settings(args, 1), Runtime.getRuntime().maxMemory());
            try (ParameterServer server = ParameterServer.start(config, new LocalModelStorage())) {
                serve(server.port());
            }
        } else {
            try (BareServer server =
                    new BareServer(Integer.parseInt(args[1]), encryption(settings(args, 2)))) {
                serve(server.port());
            }
        }
    }

    /** Returns what {@code key=value} from an argument on say. */
    private static Map<String, String> settings(String[] args, int from) {
        Map<String, String> settings = new HashMap<>();
        for (int i = from; i < args.length; i++) {
            int equals = args[i].indexOf('=');
            settings.put(args[i].substring(0, equals), args[i].substring(equals + 1));
        }
        return settings;
    }

    private static Tls encryption(Map<String, String> keys) {
        return keys.isEmpty() ? null : Tls.ofServer(TrialKeys.files(keys), false);
    }

    private static void serve(int port) throws IOException {
        System.out.println(PORT + port);
        System.out.flush();
        while (System.in.read() >= 0) {
            // Nothing is said; only the end matters.
        }
    }
}
