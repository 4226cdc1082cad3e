package io.github.flinkps.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.testing.TestingLoop;
import io.github.flinkps.transport.Loop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class ServerNodeTest {
    private final List<String> closed = new ArrayList<>();

    /** Returns a loop that notes that it was given something, or whose thread has died. */
    private Loop loop(String name, boolean isDead) {
        return new TestingLoop() {
            @Override
            public void execute(Runnable command) {
                if (isDead) {
                    throw new RejectedExecutionException("event executor terminated");
                }
                closed.add(name);
                command.run();
            }
        };
    }

    /** Closes the owners that are left where memory that ran out has ended threads. */
    @Test
    void closesWhatItCanWhereLoopsHaveDied() {
        List<Loop> owners = List.of(loop("first", true), loop("second", false));
        new ServerNode(ServerConfig.defaults(), null, 1, loop("control", true), owners).close();
        assertThat(closed).containsExactly("second");
    }
}
