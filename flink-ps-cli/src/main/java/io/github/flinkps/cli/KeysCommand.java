package io.github.flinkps.cli;

import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.cli.run.Failures;
import io.github.flinkps.security.Authority;
import io.github.flinkps.security.Token;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code flink-ps keys}. Loads nothing of Flink. */
@Command(
        name = "keys",
        sortOptions = false,
        description = {
            "Makes keys for servers and their clients, signed by a small authority of its own.",
            "The authority is made by the first call for a folder; later ones use it again, so that"
                + " those who trust it trust what it signs next. Clients that are not named keep"
                + " what they have. Servers read their files again when they change."
        },
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Files:",
            "  ca.pem, ca-key.pem             the authority: --tls-trust of everybody; its key is"
                    + " for this",
            "                                 command alone",
            "  server.pem, server-key.pem     --tls-certificate and --tls-key of the servers",
            "  tokens                         --token-file of the servers",
            "  NAME.pem, NAME-key.pem         --tls-certificate and --tls-key of a client",
            "  NAME.token                     --token-file of a client, in place of these"
        })
final class KeysCommand implements Callable<Integer> {
    private static final int TOKEN_BYTES = 24;
    private static final int MOST_DAYS = 3650;
    private static final String TOKENS = "tokens";

    /** Ends the names of files of private keys. */
    private static final String KEY = "-key";

    private static final List<String> RESERVED = List.of("ca", "server");

    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "The folder for the files; made if missing.")
    private Path folder;

    @Option(
            names = "--hosts",
            paramLabel = "HOST",
            split = ",",
            description =
                    "Names and addresses by which clients reach the servers. Default: those of"
                            + " the certificate that is there, else localhost,127.0.0.1.")
    private List<String> hosts;

    @Option(
            names = "--clients",
            paramLabel = "NAME",
            split = ",",
            description = "Names of clients. Default: client.")
    private List<String> clients = List.of("client");

    @Option(
            names = "--days",
            paramLabel = "N",
            description = "Days until the keys expire, 1 to " + MOST_DAYS + ". Default: 365.")
    private int days = 365;

    @Mixin HelpOption help;

    @Override
    public Integer call() {
        Usage usage = new Usage(spec);
        usage.between("--days", days, 1, MOST_DAYS);
        for (String client : clients) {
            usage.require(
                    client.matches("[A-Za-z0-9._-]{1,64}")
                            && !client.startsWith(".")
                            && !client.endsWith(KEY)
                            && !RESERVED.contains(client),
                    "--clients: '"
                            + client
                            + "' cannot be a name: it has letters, digits, dots and lines, begins"
                            + " with no dot, does not end with "
                            + KEY
                            + ", and is none of "
                            + String.join(", ", RESERVED));
        }
        for (String host : hosts == null ? List.<String>of() : hosts) {
            usage.require(
                    host.matches("[A-Za-z0-9:.*_-]{1,253}"),
                    "--hosts: '" + host + "' is neither a name nor an address");
        }
        try {
            write();
        } catch (IOException e) {
            throw new CommandException("cannot write to " + folder + ": " + Failures.reason(e), e);
        } catch (IllegalArgumentException e) {
            throw new CommandException(e.getMessage(), e);
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println("wrote the keys of the servers on " + String.join(", ", hosts));
        out.println("and of the clients " + String.join(", ", clients) + " to " + folder);
        out.flush();
        return ExitCodes.OK;
    }

    private void write() throws IOException {
        Files.createDirectories(folder);
        Instant now = Instant.now();
        Duration validity = Duration.ofDays(days);
        Map<String, String> tokens = tokens();
        Path server = folder.resolve("server.pem");
        if (hosts == null) {
            hosts =
                    Files.exists(server)
                            ? Authority.hosts(server)
                            : List.of("localhost", "127.0.0.1");
            if (hosts.isEmpty()) {
                throw new CommandException(
                        server + " names no server: give --hosts, by which clients reach it");
            }
        }
        Authority authority = authority(now);
        authority
                .server("flink-ps server", hosts, now, validity)
                .write(server, folder.resolve("server-key.pem"));
        for (String client : clients) {
            authority
                    .client(client, now, validity)
                    .write(folder.resolve(client + ".pem"), folder.resolve(client + KEY + ".pem"));
            byte[] token = new byte[TOKEN_BYTES];
            new SecureRandom().nextBytes(token);
            String line =
                    client + ':' + Base64.getUrlEncoder().withoutPadding().encodeToString(token);
            Authority.writeSecret(folder.resolve(client + ".token"), line + "\n");
            tokens.put(client, line);
        }
        Authority.writeSecret(folder.resolve(TOKENS), String.join("\n", tokens.values()) + "\n");
    }

    /** Returns the authority that is there, or a new one, which is written. */
    private Authority authority(Instant now) throws IOException {
        Path own = folder.resolve("ca.pem");
        Path ownKey = folder.resolve("ca-key.pem");
        if (Files.exists(own) && Files.exists(ownKey)) {
            return Authority.read(own, ownKey);
        }
        if (Files.exists(own) || Files.exists(ownKey)) {
            Path there = Files.exists(own) ? own : ownKey;
            throw new CommandException(
                    "there is "
                            + there
                            + " but not "
                            + (there.equals(own) ? ownKey : own)
                            + ", the other half of the authority: bring it back, or name another"
                            + " folder for keys of another authority");
        }
        Path server = folder.resolve("server.pem");
        if (Files.exists(server)) {
            throw new CommandException(
                    "there is "
                            + server
                            + " but not the authority that signed it, "
                            + own
                            + " and "
                            + ownKey
                            + ": bring it back, or name another folder for keys of another"
                            + " authority");
        }
        Authority made = Authority.create("flink-ps authority", now, Duration.ofDays(MOST_DAYS));
        made.identity().write(own, ownKey);
        return made;
    }

    /**
     * Returns the lines of the file of tokens, those of clients by name.
     *
     * @throws IllegalArgumentException naming a line that is wrong, or where there are tokens of
     *     clients but not that file
     */
    private Map<String, String> tokens() throws IOException {
        Path file = folder.resolve(TOKENS);
        Map<String, String> lines = new LinkedHashMap<>();
        if (!Files.exists(file)) {
            try (DirectoryStream<Path> theirs = Files.newDirectoryStream(folder, "*.token")) {
                for (Path token : theirs) {
                    throw new IllegalArgumentException(
                            "there is "
                                    + token
                                    + " but not "
                                    + file
                                    + ", by which servers know it: bring it back, or remove the"
                                    + " .token files to begin without them");
                }
            }
            return lines;
        }
        boolean any = false;
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            boolean token = !line.isBlank() && !line.startsWith("#");
            String text = token ? line.strip() : line;
            String name = token ? text.substring(0, Math.max(0, text.indexOf(':'))) : "#" + number;
            lines.put(name, text);
            number++;
            any |= token;
        }
        if (any) {
            Set<String> unused = Token.namesIn(file.toString()); // which refuses what is wrong
        }
        return lines;
    }
}
