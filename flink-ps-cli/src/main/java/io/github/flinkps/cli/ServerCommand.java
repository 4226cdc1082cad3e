package io.github.flinkps.cli;

import io.github.flinkps.cli.job.FlinkFiles;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.server.OptionType;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.server.ServerOption;
import java.io.PrintWriter;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
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
    @Spec private CommandSpec spec;
    @ParentCommand private RootCommand root;

    @Mixin HelpOption help;

    /** Adds the options of a server. */
    static void addOptions(CommandSpec spec) {
        for (ServerOption<?> option : ServerConfig.OPTIONS) {
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
        PrintWriter out = spec.commandLine().getOut();
        ModelStorage storage = storage(usage, config.modelRoot());
        try (Signals signals = Signals.listen();
                ParameterServer server = start(usage, config, storage)) {
            out.println("listening on " + server.address());
            out.flush();
            server.heapExhausted().thenAccept(signals::fail);
            return signals.await();
        }
    }

    private static ServerConfig config(Usage usage) {
        Map<String, String> given = new TreeMap<>();
        for (ServerOption<?> option : ServerConfig.OPTIONS) {
            Object value = usage.value("--" + option.key());
            if (value != null) {
                given.put(option.key(), value.toString());
            }
        }
        try {
            return ServerConfig.of(given, Runtime.getRuntime().maxMemory());
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
