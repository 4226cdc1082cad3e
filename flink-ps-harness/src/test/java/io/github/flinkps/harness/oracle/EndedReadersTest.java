package io.github.flinkps.harness.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoint 7 is gone back to, of which reader 0 or 1 had ended. */
class EndedReadersTest {
    private static final long CHECKPOINT = 7;

    @TempDir Path folder;
    private OracleHooks hooks;

    @BeforeEach
    void prepare() throws IOException {
        hooks = new OracleHooks(folder);
        hooks.create();
    }

    private void note(String job, String when, String kind, int subtask, int... numbers)
            throws IOException {
        Intervals read = new Intervals();
        for (int number : numbers) {
            read.add(number);
        }
        hooks.note(OracleHooks.name(job, when, kind, subtask), read.write());
    }

    private List<Integer> before(String job, int subtask) throws IOException {
        int[] counts = new int[10];
        EndedReaders.before(hooks, job, CHECKPOINT, subtask).countInto(counts);
        List<Integer> read = new ArrayList<>();
        for (int number = 0; number < counts.length; number++) {
            assertThat(counts[number]).isBetween(0, 1);
            if (counts[number] == 1) {
                read.add(number);
            }
        }
        return read;
    }

    @Test
    void aReaderAnswersForWhatItHadReadAtItsEnd() throws Exception {
        note("a", OracleGate.END, OracleGate.NOTE, 1, 4, 5, 6);
        note("a", "7", OracleGate.NOTE, 0, 1, 2);
        note("a", "7", OracleState.NOTE, 0);
        assertThat(before("a", 1)).containsExactly(4, 5, 6);
        assertThat(before("a", 0)).isEmpty();
    }

    /** The state it was restored with says then what it had read. */
    @Test
    void notWhereItEndedLaterOnly() throws Exception {
        note("a", "7", OracleGate.NOTE, 0, 1, 2);
        note("a", OracleGate.END, OracleGate.NOTE, 0, 1, 2, 3);
        assertThat(before("a", 0)).isEmpty();
    }

    @Test
    void theFirstReaderOfAnotherJobAnswersForThoseBefore() throws Exception {
        note("a", "7", OracleState.NOTE, 0);
        note("a", "7", OracleGate.NOTE, 0, 1, 2);
        note("a", OracleGate.END, OracleGate.NOTE, 1, 4, 5);
        note("a", OracleGate.END, OracleGate.NOTE, 2, 8);
        note("b", OracleGate.END, OracleGate.NOTE, 0, 9);
        assertThat(before("c", 0)).containsExactly(4, 5, 8);
        assertThat(before("c", 1)).isEmpty();
    }
}
