package io.github.flinkps.flink.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LocalServerBackendTest {
    @Test
    void reachesServersOfItsProcessWithoutASocketAndOthersOfItsMachineByIt() throws Exception {
        String elsewhere;
        try (EmbeddedServer server = new LocalServerBackend().startServer(0, 1, 64 << 20)) {
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
                .hasMessageContaining("all TaskManagers of a job must be on one machine");
    }
}
