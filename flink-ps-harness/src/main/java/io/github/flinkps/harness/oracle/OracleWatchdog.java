package io.github.flinkps.harness.oracle;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends children by SIGKILL when this process is gone, however it went: those that are stopped
 * (SIGSTOP) too, which cannot see that by themselves. It is a shell that is told of them, and that
 * waits for the end of its standard input. Thread-safe.
 */
final class OracleWatchdog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OracleWatchdog.class);

    /** A signal to all processes of a terminal is not for it. */
    private static final String SCRIPT =
            """
            trap '' HUP INT TERM
            pids=
            while read -r what pid; do
                left=
                for each in $pids; do
                    [ "$each" = "$pid" ] || left="$left $each"
                done
                pids=$left
                [ "$what" = watch ] && pids="$pids $pid"
            done
            [ -z "$pids" ] || kill -KILL $pids
            """;

    private final OutputStream tell;

    private OracleWatchdog(OutputStream tell) {
        this.tell = tell;
    }

    static OracleWatchdog start() throws IOException {
        Process shell =
                new ProcessBuilder("sh", "-c", SCRIPT)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        return new OracleWatchdog(shell.getOutputStream());
    }

    /** Watches a child until it has ended. */
    void watch(Process child) throws IOException {
        tell("watch", child.pid());
        child.onExit().thenRun(() -> forget(child.pid()));
    }

    /** Stops watching a process that has ended: its number may be another's from now on. */
    private void forget(long pid) {
        try {
            tell("forget", pid);
        } catch (IOException e) {
            LOG.debug("The watchdog has gone before process {}", pid, e);
        }
    }

    private synchronized void tell(String what, long pid) throws IOException {
        tell.write((what + " " + pid + "\n").getBytes(StandardCharsets.US_ASCII));
        tell.flush();
    }

    /** Ends what is still watched. */
    @Override
    public synchronized void close() throws IOException {
        tell.close();
    }
}
