package io.github.flinkps.cli;

import io.github.flinkps.cli.job.FlinkFiles;
import io.github.flinkps.cli.operations.HttpListen;
import io.github.flinkps.cli.operations.OperationsServer;
import io.github.flinkps.common.Endpoint;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.server.OptionType;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.server.ServerOption;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code flink-ps server}. Loads nothing of Flink, unless its models lie in a store. */
@Command(
        name = "server",
        sortOptions = false,
        abbreviateSynopsis = true,
        description = {
            "Runs a parameter server until it is told to end (SIGTERM or ctrl-C).",
            "Models live in its memory. It listens on loopback, unless it encrypts and asks who its"
                    + " clients are."
        },
        optionListHeading = "%nOptions:%n")
final class ServerCommand implements Callable<Integer> {
    private static final List<ServerOption<?>> OPTIONS =
            Stream.concat(ServerConfig.OPTIONS.stream(), HttpListen.OPTIONS.stream()).toList();

    @Spec private CommandSpec spec;
    @ParentCommand private RootCommand root;

    @Mixin HelpOption help;

    /** Adds the options of a server. */
    static void addOptions(CommandSpec spec) {
        for (ServerOption<?> option : OPTIONS) {
            spec.addOption(
                    OptionSpec.builder("--" + option.key())
                            .type(String.class)
                            .arity(option.type().equals(OptionType.FLAG) ? "0..1" : "1")
                            .fallbackValue("true")
                            .paramLabel(option.type().label())
                            .description(
                                    option.description()
                                            + " Default: "
                                            + option.defaultText()
                                            + ".")
                            .build());
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        Usage usage = new Usage(spec);
        ServerConfig config = config(usage);
        HttpListen http = http(usage);
        PrintWriter out = spec.commandLine().getOut();
        ModelStorage storage = storage(usage, config.modelRoot());
        try (Signals signals = Signals.listen();
                ParameterServer server = start(usage, config, storage);
                OperationsServer operations = operations(usage, http, config, server)) {
            out.println("listening on " + server.address());
            if (operations != null) {
                out.println("telling by HTTP on " + new Endpoint(http.host(), operations.port()));
            }
            out.flush();
            server.heapExhausted().thenAccept(signals::fail);
            return signals.await();
        }
    }

    private static ServerConfig config(Usage usage) {
        try {
            return ServerConfig.of(
                    given(usage, ServerConfig.OPTIONS), Runtime.getRuntime().maxMemory());
        } catch (IllegalArgumentException e) {
            throw usage.refusal("--" + e.getMessage());
        }
    }

    private static Map<String, String> given(Usage usage, List<ServerOption<?>> options) {
        Map<String, String> given = new TreeMap<>();
        for (ServerOption<?> option : options) {
            Object value = usage.value("--" + option.key());
            if (value != null) {
                given.put(option.key(), value.toString());
            }
        }
        return given;
    }

    private static HttpListen http(Usage usage) {
        try {
            return HttpListen.of(given(usage, HttpListen.OPTIONS));
        } catch (IllegalArgumentException e) {
            throw usage.refusal("--" + e.getMessage());
        }
    }

    private static OperationsServer operations(
            Usage usage, HttpListen http, ServerConfig config, ParameterServer server) {
        try {
            return http == null ? null : OperationsServer.start(http, config.security(), server);
        } catch (IllegalArgumentException e) {
            throw usage.refusal("--" + e.getMessage());
        }
    }

    private ModelStorage storage(Usage usage, String place) throws InterruptedException {
        if (place == null || LocalModelStorage.isLocal(place)) {
            return root.storage;
        }
        try {
            return FlinkFiles.reaching(place);
        } catch (IllegalArgumentException e) {
            throw usage.refusal("--" + e.getMessage());
        }
    }

    private static ParameterServer start(Usage usage, ServerConfig config, ModelStorage storage) {
        try {
            return ParameterServer.start(config, storage);
        } catch (IllegalArgumentException e) {
            throw usage.refusal("--" + e.getMessage());
        }
    }
}
