package io.github.flinkps.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.security.Authority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server process that encrypts and asks, and commands that it lets in or not. */
class SecureServersITCase {
    private static final String LISTENING = "listening on ";

    @TempDir private Path folder;

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private TestingCommand train(String address, String... more) {
        List<String> line =
                new ArrayList<>(
                        List.of("train", "--rows", "2000", "--workers", "2", "--remote", address));
        line.addAll(List.of(more));
        return TestingCommand.run(line.toArray(String[]::new));
    }

    private void keys(String... more) {
        List<String> line = new ArrayList<>(List.of("keys", folder.toString()));
        line.addAll(List.of(more));
        TestingCommand.succeeds(line.toArray(String[]::new));
    }

    @Test
    void whoHasAKeyOrATokenTrains() throws Exception {
        keys("--clients", "anna,bert", "--hosts", "127.0.0.1");
        try (TestingProcess server =
                TestingProcess.start(
                        "server",
                        "--host",
                        "0.0.0.0",
                        "--tls-certificate",
                        file("server.pem"),
                        "--tls-key",
                        file("server-key.pem"),
                        "--tls-trust",
                        file("ca.pem"),
                        "--token-file",
                        file("tokens"))) {
            String port = server.awaitLine(LISTENING).replaceAll(".*:", "");
            String address = "127.0.0.1:" + port;
            succeeds(
                    train(
                            address,
                            "--tls-trust",
                            file("ca.pem"),
                            "--tls-certificate",
                            file("anna.pem"),
                            "--tls-key",
                            file("anna-key.pem")));
            succeeds(
                    train(
                            address,
                            "--tls-trust",
                            file("ca.pem"),
                            "--token-file",
                            file("bert.token")));

            isRefused(train(address), "speaks TLS only; set tls-trust");
            isRefused(train(address, "--tls-trust", file("ca.pem")), "set token-file");
            String bert = Files.readString(folder.resolve("bert.token"));
            keys("--clients", "anna", "--hosts", "127.0.0.1");
            Path tokens = folder.resolve("tokens");
            assertThat(tokens).content().contains(bert);
            Files.writeString(tokens, Files.readString(tokens).replace(bert, ""));
            isRefused(
                    train(
                            address,
                            "--tls-trust",
                            file("ca.pem"),
                            "--token-file",
                            file("bert.token")),
                    "the token is not one that the server knows");
            server.signal("TERM");
            assertThat(server.awaitExit()).isEqualTo(ExitCodes.OK);
            assertThat(server.err()).isEmpty();
            assertThat(server.out()).noneMatch(line -> line.contains(bert.strip()));
        }
    }

    /** A job keeps its cuts where the server's rules know its model, and nowhere else. */
    @Test
    void cutsAreKeptInTheFolderOfTheModelThatIsTrained() throws Exception {
        keys("--clients", "anna", "--hosts", "127.0.0.1");
        Files.writeString(folder.resolve("rules"), "anna train ads-*\n");
        Path root = Files.createDirectories(folder.resolve("root"));
        try (TestingProcess server =
                TestingProcess.start(
                        "server",
                        "--tls-certificate",
                        file("server.pem"),
                        "--tls-key",
                        file("server-key.pem"),
                        "--token-file",
                        file("tokens"),
                        "--acl-file",
                        file("rules"),
                        "--model-root",
                        root.toString())) {
            String address = "127.0.0.1:" + server.awaitLine(LISTENING).replaceAll(".*:", "");
            succeeds(trainWithCuts(address, root));
            try (Stream<Path> models = Files.list(root.resolve("default"))) {
                assertThat(models)
                        .singleElement()
                        .satisfies(
                                model -> assertThat(model.resolve("runs")).isNotEmptyDirectory());
            }
            TestingCommand again = trainWithCuts(address, root);
            succeeds(again);
            assertThat(again.out()).contains("1 remote server with model 'ads-ctr'");
            TestingCommand unnamed =
                    train(
                            address,
                            "--tls-trust",
                            file("ca.pem"),
                            "--token-file",
                            file("anna.token"));
            assertThat(unnamed.exitCode()).isEqualTo(ExitCodes.FAILED);
            assertThat(unnamed.err()).contains("client 'anna' may not", "model 'run-");
            TestingCommand other = trainWithCuts(address, root.resolve("below"));
            assertThat(other.exitCode()).isEqualTo(ExitCodes.FAILED);
            assertThat(other.err()).contains("may not train model 'below.default'");
        }
    }

    private TestingCommand trainWithCuts(String address, Path root) {
        return train(
                address,
                "--tls-trust",
                file("ca.pem"),
                "--token-file",
                file("anna.token"),
                "--model-name",
                "ads-ctr",
                "--checkpoint-interval",
                "100ms",
                "--model-root",
                root.toString());
    }

    private static void succeeds(TestingCommand command) {
        assertThat(command.exitCode()).withFailMessage(command.err()).isEqualTo(ExitCodes.OK);
    }

    private static void isRefused(TestingCommand command, String message) {
        assertThat(command.exitCode()).isEqualTo(ExitCodes.FAILED);
        assertThat(command.err()).contains(message);
        assertThat(command.err().lines()).hasSize(1);
    }

    @Test
    void optionsThatAreWrongAreNamed() throws IOException {
        keys();
        String text = Files.writeString(folder.resolve("text"), "no PEM").toString();
        isWrong("--tls-key needs tls-certificate", "server", "--tls-key", file("server-key.pem"));
        isWrong("--token-file needs tls-certificate", "server", "--token-file", file("tokens"));
        isWrong(
                "--tls-key " + text + " has not one private key",
                "server",
                "--tls-certificate",
                file("server.pem"),
                "--tls-key",
                text);
        isWrong(
                "--tls-key " + file("client-key.pem") + " is not the key of the certificate",
                "server",
                "--tls-certificate",
                file("server.pem"),
                "--tls-key",
                file("client-key.pem"));
        isWrong("--insecure-plaintext must be true", "server", "--insecure-plaintext", "maybe");
        isWrong("token-file needs tls-trust", "train", "--remote", "a:1", "--token-file", text);
        isWrong("--clients: 'ca'", "keys", folder.toString(), "--clients", "ca");
        isWrong("--clients: 'ads-key'", "keys", folder.toString(), "--clients", "ads,ads-key");
        isWrong("--hosts: 'a b'", "keys", folder.toString(), "--hosts", "a b");
        isWrong("--days must be between 1 and 3650", "keys", folder.toString(), "--days", "0");
    }

    private static void isWrong(String message, String... line) {
        TestingCommand command = TestingCommand.run(line);
        assertThat(command.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(command.err()).startsWith("flink-ps: ").contains(message);
        assertThat(command.out()).isEmpty();
    }

    @Test
    void insecureServersSaySoAtEachStart() throws Exception {
        try (TestingProcess server =
                TestingProcess.start("server", "--host", "0.0.0.0", "--insecure-plaintext")) {
            server.awaitLine(LISTENING);
            server.signal("TERM");
            assertThat(server.awaitExit()).isEqualTo(ExitCodes.OK);
            assertThat(server.err()).anyMatch(line -> line.contains("insecure-plaintext"));
        }
    }

    /** Who adds a client changes nothing for the others, nor for those who reach the servers. */
    @Test
    void aClientIsAddedBesideTheOthers() throws IOException {
        Path tokens = folder.resolve("tokens");
        keys("--clients", "anna", "--hosts", "ps1.example,10.0.0.1");
        Files.writeString(tokens, "# team\n\n# team\n  " + Files.readString(tokens));
        keys("--clients", "bert");
        assertThat(Authority.hosts(folder.resolve("server.pem")))
                .containsExactly("ps1.example", "10.0.0.1");
        String anna = Files.readString(folder.resolve("anna.token")).strip();
        String bert = Files.readString(folder.resolve("bert.token")).strip();
        assertThat(tokens).content().hasLineCount(5).contains("# team\n\n# team\n", anna, bert);
        Files.writeString(tokens, "garbage\n");
        fails(tokens + ": line 1", "keys", folder.toString(), "--clients", "carl");
        assertThat(tokens).hasContent("garbage");
        Files.delete(tokens);
        fails("but not " + tokens, "keys", folder.toString(), "--clients", "carl");
        assertThat(tokens).doesNotExist();
        Files.delete(folder.resolve("anna.token"));
        Files.delete(folder.resolve("bert.token"));
        Files.delete(folder.resolve("ca-key.pem"));
        fails("the other half of the authority", "keys", folder.toString());
        Files.delete(folder.resolve("ca.pem"));
        fails("but not the authority that signed it", "keys", folder.toString());
    }

    private static void fails(String message, String... line) {
        TestingCommand command = TestingCommand.run(line);
        assertThat(command.exitCode()).isEqualTo(ExitCodes.FAILED);
        assertThat(command.err()).startsWith("flink-ps: ").contains(message);
    }

    @Test
    void keysAreForTheirOwnerOnly() throws IOException {
        keys("--clients", "anna");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files)
                    .hasSize(8)
                    .allSatisfy(
                            file ->
                                    assertThat(
                                                    PosixFilePermissions.toString(
                                                            Files.getPosixFilePermissions(file)))
                                            .matches(
                                                    file.toString().endsWith(".pem")
                                                                    && !file.toString()
                                                                            .endsWith("-key.pem")
                                                            ? "rw-.*"
                                                            : "rw-------"));
        }
        String authority = Files.readString(folder.resolve("ca.pem"));
        String server = Files.readString(folder.resolve("server.pem"));
        keys("--clients", "anna");
        assertThat(folder.resolve("ca.pem")).hasContent(authority);
        assertThat(Files.readString(folder.resolve("server.pem"))).isNotEqualTo(server);
    }
}
