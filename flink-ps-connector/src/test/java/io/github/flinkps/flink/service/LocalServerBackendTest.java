package io.github.flinkps.flink.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.ClientSecurity;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.security.JobKeys;
import io.github.flinkps.security.Token;
import io.github.flinkps.testing.LeakExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(LeakExtension.class)
class LocalServerBackendTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final TaskHost MACHINE = TaskHost.ofMachine(64 << 20);
    private static final TaskHost ELSEWHERE = new TaskHost(64 << 20, "127.0.0.2", "127.0.0.2");

    @Test
    void reachesServersOfItsProcessWithoutASocketAndOthersOfItsMachineByIt() throws Exception {
        String elsewhere;
        try (EmbeddedServer server = new LocalServerBackend().startServer(0, 1, MACHINE)) {
            assertThat(LocalServerBackend.nearest(server.address())).startsWith("local:");
            elsewhere = server.address();
        }
        String socket = elsewhere.substring(0, elsewhere.indexOf('#'));
        assertThat(LocalServerBackend.nearest(elsewhere)).isEqualTo(socket);
        assertThat(LocalServerBackend.nearest("host:7070")).isEqualTo("host:7070");
    }

    @Test
    void saysThatAServerOnAnotherMachineIsOutOfReach() {
        assertThatThrownBy(() -> LocalServerBackend.nearest("127.0.0.1:7070#s@another.machine"))
                .isInstanceOf(ServiceException.class)
                .hasMessageContaining("TaskManager on another.machine, out of reach")
                .hasMessageContaining("taskmanager.host is loopback");
    }

    private static LocalServerBackend backend(JobKeys keys) {
        return LocalServerBackend.of(
                keys == null ? ClientSecurity.NONE : ClientSecurity.ofPeers(keys), TIMEOUT);
    }

    /** Returns the address of a server as another process knows it. */
    private static String far(EmbeddedServer server) {
        return server.address().replace("#", "#another-process-");
    }

    /** Returns how many servers have answered. */
    private static int stats(LocalServerBackend backend, String... addresses) throws Exception {
        try (ParameterClient client = backend.connect(List.of(addresses), TIMEOUT)) {
            return client.stats(TIMEOUT).get(20, TimeUnit.SECONDS).size();
        }
    }

    @Test
    void serversForOtherMachinesTakeTheirJobOnly() throws Exception {
        LocalServerBackend job = backend(JobKeys.create());
        try (EmbeddedServer server = job.startServer(0, 1, ELSEWHERE)) {
            assertThat(server.address()).startsWith("127.0.0.2:").doesNotContain("@");
            LocalServerBackend travelled = InstantiationUtil.clone(job);
            assertThat(stats(travelled, far(server))).isEqualTo(1);

            isRefused(backend(JobKeys.create()), far(server), "is not trusted");
            String plain = server.address().substring(0, server.address().indexOf('#'));
            isRefused(backend(null), plain, "one inside a job takes that job only");
            assertThatThrownBy(() -> stats(backend(null), far(server)))
                    .isInstanceOf(ServiceException.class)
                    .hasMessageContaining("takes connections of that job only");
        }
    }

    private static LocalServerBackend reader(String tokenFile) {
        return LocalServerBackend.of(ClientSecurity.NONE.withReaderToken(tokenFile), TIMEOUT);
    }

    @Test
    void readersWithATokenReadAndDoNothingElse(@TempDir Path folder) throws Exception {
        String tokens = token(folder, "tokens", "search:sixteen characters");
        LocalServerBackend job =
                new LocalServerBackend(
                        Map.of(Token.FILE, tokens),
                        ClientSecurity.ofPeers(JobKeys.create()),
                        TIMEOUT);
        try (EmbeddedServer server = job.startServer(0, 1, ELSEWHERE)) {
            try (ParameterClient trainer = job.connect(List.of(far(server)), TIMEOUT);
                    ModelSession session = open(trainer)) {
                session.createTable(TableSpec.dense("t", 4, 1, UpdateSpec.sgd(.1)))
                        .get(20, TimeUnit.SECONDS);
                try (ParameterClient client =
                                reader(tokens).connect(List.of(far(server)), TIMEOUT);
                        ModelSession reading = open(client)) {
                    assertThat(reading.describe("t").get(20, TimeUnit.SECONDS).name())
                            .isEqualTo("t");
                    assertThatThrownBy(() -> reading.dropTable("t").get(20, TimeUnit.SECONDS))
                            .cause()
                            .hasMessageContaining(
                                    "client 'search' may not administer model 'm': clients with a"
                                            + " token may only read");
                }
            }
            assertThat(stats(job, far(server))).isEqualTo(1);
            isRefused(
                    reader(token(folder, "other", "search:another characters")),
                    far(server),
                    "the token is not one that the server knows");
            String unpublished = far(server).substring(0, far(server).indexOf('!'));
            assertThatThrownBy(() -> stats(reader(tokens), unpublished))
                    .isInstanceOf(ServiceException.class)
                    .hasMessageContaining("with the job's option server-token-file");
            String other = far(server).replaceFirst("!.*", "!" + "a".repeat(64));
            isRefused(reader(tokens), other, "is not trusted");
        }
    }

    @Test
    void aFileOfReadersThatIsWrongIsNamedAsTheJobsOption() {
        LocalServerBackend job =
                new LocalServerBackend(
                        Map.of(Token.FILE, "/none"),
                        ClientSecurity.ofPeers(JobKeys.create()),
                        TIMEOUT);
        assertThatThrownBy(() -> job.startServer(0, 1, ELSEWHERE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("server-token-file /none");
    }

    private static String token(Path folder, String name, String line) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, line + "\n");
        return file.toString();
    }

    private static ModelSession open(ParameterClient client) throws Exception {
        SessionSpec spec =
                new SessionSpec(
                        "m", "", 0, SessionSpec.NO_WORKER, 1, ConsistencySpec.asp(), TIMEOUT);
        return client.open(spec).get(20, TimeUnit.SECONDS);
    }

    @Test
    void whatAReaderCannotUseIsSaidAsAServerThatCannotBeReached(@TempDir Path folder)
            throws Exception {
        String tokens = token(folder, "tokens", "search:sixteen characters");
        assertThatThrownBy(() -> stats(reader(tokens), "127.0.0.2:1#another!none"))
                .isInstanceOf(ServiceException.class)
                .hasMessageContaining("'none' is no fingerprint");
        String pinned = "127.0.0.2:1#another!" + "a".repeat(64);
        assertThatThrownBy(() -> stats(reader("/none"), pinned))
                .isInstanceOf(ServiceException.class)
                .hasMessageContaining("token-file /none");
    }

    private static void isRefused(LocalServerBackend backend, String address, String why) {
        assertThatThrownBy(() -> stats(backend, address))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(PsException.class)
                .hasMessageContaining(why)
                .extracting(e -> ((PsException) e).code())
                .isEqualTo(ErrorCode.UNAUTHENTICATED);
    }

    @Test
    void reachesServersOfItsProcessBesideThoseOfOtherMachines() throws Exception {
        LocalServerBackend job = backend(JobKeys.create());
        try (EmbeddedServer near = job.startServer(0, 1, ELSEWHERE);
                EmbeddedServer other = job.startServer(1, 1, ELSEWHERE)) {
            assertThat(stats(job, near.address(), far(other))).isEqualTo(2);
            assertThat(stats(job, far(other), near.address())).isEqualTo(2);
        }
    }

    @Test
    void listensWhereItsTaskManagerDoes() {
        Configuration ofMachine = new Configuration();
        assertThat(TaskHost.of(ofMachine, "localhost").isMachines()).isTrue();
        assertThat(TaskHost.of(ofMachine, "127.0.0.3"))
                .extracting(TaskHost::bind, TaskHost::external)
                .containsExactly("0.0.0.0", "127.0.0.3");
        ofMachine.set(TaskManagerOptions.BIND_HOST, "127.0.0.4");
        assertThat(TaskHost.of(ofMachine, "127.0.0.3").bind()).isEqualTo("127.0.0.4");
        assertThatThrownBy(() -> TaskHost.of(ofMachine, "no.such.host.invalid"))
                .hasMessageContaining("taskmanager.host no.such.host.invalid");
    }
}
