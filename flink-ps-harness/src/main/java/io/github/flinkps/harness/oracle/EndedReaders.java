package io.github.flinkps.harness.oracle;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The numbers read by readers that had ended when a checkpoint was taken. Nothing of a reader's is
 * restored where others of its vertex had not ended.
 */
final class EndedReaders {
    private final OracleHooks hooks;
    private final String checkpoint;
    private final Intervals read = new Intervals();

    private EndedReaders(OracleHooks hooks, String checkpoint) {
        this.hooks = hooks;
        this.checkpoint = checkpoint;
    }

    /**
     * Returns what the reader of a subtask answers for from now on beside what it is restored with:
     * what it had read itself; the first one also what those of a job before had whose savepoint
     * this is.
     *
     * @param checkpoint from which the job goes on, whose number no other job of the run has
     */
    static Intervals before(OracleHooks hooks, String job, long checkpoint, int subtask)
            throws IOException {
        EndedReaders ended = new EndedReaders(hooks, Long.toString(checkpoint));
        ended.addIfEnded(job, subtask);
        if (subtask == 0) {
            ended.addOthers(job);
        }
        return ended.read;
    }

    private void addIfEnded(String job, int reader) throws IOException {
        Path end = noted(job, OracleGate.END, reader);
        if (Files.exists(end) && !Files.exists(noted(job, checkpoint, reader))) {
            read.addAll(Intervals.read(end).list());
        }
    }

    private void addOthers(String job) throws IOException {
        String suffix = OracleHooks.name("", checkpoint, OracleState.NOTE, 0);
        try (DirectoryStream<Path> notes =
                Files.newDirectoryStream(hooks.noted(job).getParent(), "*" + suffix)) {
            for (Path note : notes) {
                String name = note.getFileName().toString();
                String other = name.substring(0, name.length() - suffix.length());
                for (int reader = 0;
                        !other.equals(job) && Files.exists(anyOf(other, reader));
                        reader++) {
                    addIfEnded(other, reader);
                }
            }
        }
    }

    /** Returns a note that exists if there is such a reader. */
    private Path anyOf(String job, int reader) {
        Path before = noted(job, checkpoint, reader);
        return Files.exists(before) ? before : noted(job, OracleGate.END, reader);
    }

    private Path noted(String job, String when, int reader) {
        return hooks.noted(OracleHooks.name(job, when, OracleGate.NOTE, reader));
    }
}
