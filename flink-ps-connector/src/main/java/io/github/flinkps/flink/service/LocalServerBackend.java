package io.github.flinkps.flink.service;

import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.ParameterClients;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.transport.LocalTransport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Parameter servers of this process on loopback, and clients that reach those of their own process
 * without a socket. The address of an embedded server is {@code host:port#name}, name being that by
 * which its own process knows it; a remote one is {@code host:port}.
 */
public final class LocalServerBackend implements ServiceBackend {
    private static final long serialVersionUID = 1L;
    private static final char NAME = '#';

    @Override
    public EmbeddedServer startServer(int index, long fence) {
        ParameterServer server = ParameterServer.start(ServerConfig.defaults().withFence(fence));
        return new EmbeddedServer() {
            @Override
            public String address() {
                return server.address() + NAME + server.localName();
            }

            @Override
            public void close() {
                server.close();
            }
        };
    }

    @Override
    public ParameterClient connect(List<String> addresses, Duration timeout) {
        List<String> nearest = new ArrayList<>();
        for (String address : addresses) {
            nearest.add(nearest(address));
        }
        return ParameterClients.create(
                nearest, ClientConfig.defaults().withConnectTimeout(timeout));
    }

    static String nearest(String address) {
        int at = address.indexOf(NAME);
        if (at < 0) {
            return address;
        }
        String name = address.substring(at + 1);
        return LocalTransport.serves(name)
                ? ParameterClients.LOCAL + name
                : address.substring(0, at);
    }
}
