package io.github.flinkps.harness.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.cli.TestingProcess;
import io.github.flinkps.testing.Polling;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A child process of the oracle that is stopped (SIGSTOP) when the oracle is killed. */
@Timeout(300)
class StoppedChildITCase {
    @TempDir private Path folder;

    /** The child cannot see by itself that the oracle was killed. */
    @Test
    void aStoppedChildOfTheOracleDoesNotOutliveIt() throws Exception {
        long child;
        try (TestingProcess parent =
                TestingProcess.startMain(StoppedChild.class, folder.toString())) {
            child = Long.parseLong(parent.awaitLine(StoppedChild.STOPPED));
            assertThat(state(child)).isEqualTo("T");
            parent.signal("KILL");
            parent.awaitExit();
        }
        Polling.await("the child is there", () -> List.of("", "Z").contains(state(child)));
    }

    /** A letter, as ps tells it; nothing of a process that is not there. */
    private static String state(long pid) throws Exception {
        Process ps = new ProcessBuilder("ps", "-o", "state=", "-p", Long.toString(pid)).start();
        String state = new String(ps.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        ps.waitFor();
        return state.strip();
    }
}
