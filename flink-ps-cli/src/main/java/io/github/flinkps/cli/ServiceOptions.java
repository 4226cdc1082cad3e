package io.github.flinkps.cli;

import io.github.flinkps.cli.job.ServiceChoice;
import io.github.flinkps.common.Endpoint;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;

/** The options that say which parameter servers hold the model. */
final class ServiceOptions {
    private static final int MOST = 1024;

    @Option(
            names = "--servers",
            paramLabel = "N",
            defaultValue = "2",
            description =
                    "Parameter servers inside the job, among which the model is spread. Default:"
                            + " ${DEFAULT-VALUE}.")
    private int servers;

    @Option(
            names = "--remote",
            paramLabel = "HOST:PORT",
            split = ",",
            description =
                    "Parameter servers that run already ('flink-ps server'), instead of --servers.")
    private List<String> remote;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "60s",
            description =
                    "The longest wait for a server, or for the slowest worker, before the command"
                            + " fails. Default: ${DEFAULT-VALUE}.")
    private Duration timeout;

    void check(Usage usage) {
        usage.between("--servers", servers, 1, MOST);
        usage.require(
                timeout.compareTo(Duration.ofMillis(100)) >= 0
                        && timeout.compareTo(Duration.ofDays(1)) <= 0,
                "--timeout must be between 100ms and 24h");
        if (remote == null) {
            return;
        }
        usage.require(
                !usage.given("--servers"),
                "--remote names servers that run already, --servers asks for servers inside the"
                        + " job: give one of them");
        Set<Endpoint> seen = new HashSet<>();
        for (String address : remote) {
            try {
                usage.require(
                        seen.add(Endpoint.parse(address.trim())),
                        "--remote names " + address + " twice");
            } catch (IllegalArgumentException e) {
                throw usage.refusal("--remote: " + e.getMessage());
            }
        }
    }

    String describe() {
        return remote == null
                ? servers + (servers == 1 ? " server" : " servers") + " in the job"
                : remote.size() + " remote server" + (remote.size() == 1 ? "" : "s");
    }

    ServiceChoice choice() {
        List<String> addresses =
                remote == null ? List.of() : remote.stream().map(String::trim).toList();
        return new ServiceChoice(servers, addresses, timeout);
    }
}
