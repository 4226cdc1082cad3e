package io.github.flinkps.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.security.AccessRules;
import io.github.flinkps.server.Registrations.Registration;
import org.junit.jupiter.api.Test;

class RegistrationsTest {
    private final Registrations sessions = new Registrations();

    private static Registration of(long client, String name, String model, long fence, int worker) {
        SessionAccess access = new SessionAccess(AccessRules.none(), name, model);
        return new Registration(client, model, fence, worker, access);
    }

    private void isFull(Registration one) {
        assertThatThrownBy(() -> sessions.add(one))
                .isInstanceOfSatisfying(
                        PsException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.THROTTLED));
    }

    @Test
    void aClientAndANameHaveSoManyAndNoMore() {
        int clients = Registrations.MOST_OF_NAME / Registrations.MOST_OF_CLIENT;
        for (int client = 0; client < clients; client++) {
            for (int i = 0; i < Registrations.MOST_OF_CLIENT; i++) {
                sessions.add(of(client, "anna", "m" + client, 0, -1));
            }
            isFull(of(client, "anna", "m", 0, -1));
        }
        isFull(of(99, "anna", "m", 0, -1));
        sessions.add(of(100, "bert", "m", 0, -1));
        sessions.removeAll("m0");
        sessions.add(of(0, "anna", "m", 0, -1));
    }

    @Test
    void sessionsAreKeptWhileTheirClientHasAConnection() {
        sessions.connected(1);
        sessions.connected(1);
        int session = sessions.add(of(1, null, "m", 0, -1));
        sessions.disconnected(1, 0);
        assertThat(sessions.areAnyLeft()).isFalse();
        sessions.disconnected(1, 5);
        assertThat(sessions.areAnyLeft()).isTrue();
        assertThat(sessions.letGo(Registrations.READER_NANOS)).isEmpty();
        sessions.connected(1);
        assertThat(sessions.letGo(2 * Registrations.READER_NANOS)).isEmpty();
        sessions.disconnected(1, 0);
        assertThat(sessions.letGo(Registrations.READER_NANOS)).containsExactly(session);
        assertThat(sessions.areAnyLeft()).isFalse();
    }

    private ErrorCode missing(int session, long client) {
        return catchThrowableOfType(PsException.class, () -> sessions.get(session, client)).code();
    }

    /** The reason has the name of the model, which only who may use it may know. */
    @Test
    void theClientOfASessionAloneIsToldWhyItHasEnded() {
        int session = sessions.add(of(1, "anna", "m", 1, 0));
        sessions.replace("m", 2);
        assertThat(missing(session, 1)).isEqualTo(ErrorCode.FENCED);
        assertThat(missing(session, 2)).isEqualTo(ErrorCode.UNKNOWN_SESSION);
    }

    @Test
    void endedSessionsOfANameMakeNoneOfAnotherForgotten() {
        int first = sessions.add(of(1, "anna", "m", 1, 0));
        sessions.replace("m", 2);
        int own = 0;
        for (int i = 0; i <= ReplacedSessions.REMEMBERED; i++) {
            int session = sessions.add(of(2, "bert", "n", i + 1, 0));
            own = own == 0 ? session : own;
            sessions.replace("n", i + 2);
        }
        assertThat(missing(first, 1)).isEqualTo(ErrorCode.FENCED);
        assertThat(missing(own, 2)).isEqualTo(ErrorCode.UNKNOWN_SESSION);
        assertThat(missing(own + 1, 2)).isEqualTo(ErrorCode.FENCED);
    }

    @Test
    void workersAndAttemptsAreKept() {
        sessions.connected(1);
        sessions.add(of(1, null, "m", 1, 0));
        sessions.add(of(1, null, "m", 1, -1));
        sessions.disconnected(1, 0);
        assertThat(sessions.letGo(Registrations.WRITER_NANOS)).isEmpty();
        assertThat(sessions.areAnyLeft()).as("to be looked at again").isFalse();
        assertThat(sessions.replace("m", 2)).hasSize(2);
    }
}
