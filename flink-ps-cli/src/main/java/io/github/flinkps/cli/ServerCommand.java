package io.github.flinkps.cli;

import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code flink-ps server}. Loads nothing of Flink. */
@Command(
        name = "server",
        sortOptions = false,
        abbreviateSynopsis = true,
        description = {
            "Runs a parameter server until it is told to end (SIGTERM or ctrl-C).",
            "Models live in its memory. It listens on loopback only, as it does not yet"
                    + " authenticate anybody."
        },
        optionListHeading = "%nOptions:%n")
final class ServerCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @ParentCommand private RootCommand root;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description = "Address of this machine to listen on. Default: ${DEFAULT-VALUE}.")
    private String host;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Port to listen on; 0 for any free one. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(
            names = "--owners",
            paramLabel = "N",
            description = "Threads that own partitions. Default: half of the cores.")
    private Integer owners;

    @Option(
            names = "--max-frame-bytes",
            paramLabel = "BYTES",
            description = "Largest message taken from a client. Default: 268435456.")
    private Integer maxFrameBytes;

    @Option(
            names = "--key-cache-bytes",
            paramLabel = "BYTES",
            description =
                    "Memory of a thread for lists of keys seen before. Default: an eighth of the"
                            + " heap, over all threads.")
    private Long keyCacheBytes;

    @Mixin HelpOption help;

    @Override
    public Integer call() throws InterruptedException {
        Usage usage = new Usage(spec);
        ServerConfig config = config(usage);
        checkLoopback(usage);
        PrintWriter out = spec.commandLine().getOut();
        try (Signals signals = Signals.listen();
                ParameterServer server = ParameterServer.start(config, root.storage)) {
            out.println("listening on " + server.address());
            out.flush();
            return signals.await();
        }
    }

    private ServerConfig config(Usage usage) {
        ServerConfig defaults = ServerConfig.defaults();
        try {
            return defaults.withHost(host)
                    .withPort(port)
                    .withOwners(owners == null ? defaults.owners() : owners)
                    .withKeyCacheBytes(
                            keyCacheBytes == null ? defaults.keyCacheBytes() : keyCacheBytes)
                    .withLimits(
                            maxFrameBytes == null ? defaults.maxFrameBytes() : maxFrameBytes,
                            defaults.inFlightBytes(),
                            defaults.partitionRows());
        } catch (IllegalArgumentException e) {
            throw usage.refusal("--" + e.getMessage());
        }
    }

    private void checkLoopback(Usage usage) {
        InetAddress address;
        try {
            address = InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new CommandException("--host " + host + " is not known", e);
        }
        usage.require(
                address.isLoopbackAddress(),
                "--host "
                        + host
                        + " is not loopback: a server does not authenticate its clients yet, so it"
                        + " listens on this machine only");
    }
}
