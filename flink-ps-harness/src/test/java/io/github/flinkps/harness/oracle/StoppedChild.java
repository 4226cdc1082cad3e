package io.github.flinkps.harness.oracle;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Has a child process as the oracle has, stops it, and waits to be killed. */
public final class StoppedChild {
    /** Stands before the child's number. */
    public static final String STOPPED = "stopped ";

    private StoppedChild() {}

    /**
     * @param args a folder
     */
    public static void main(String[] args) throws Exception {
        try (OracleWatchdog watchdog = OracleWatchdog.start();
                OracleProcess child =
                        OracleProcess.start(
                                watchdog,
                                OracleNetwork.loopback().server(0),
                                OracleServer.class.getName(),
                                64,
                                Path.of(args[0], "child.log"),
                                List.of("--port", "0"))) {
            child.awaitLine(OracleServer.LISTENS, Duration.ofMinutes(1));
            child.signal("STOP");
            System.out.println(STOPPED + child.pid());
            new CountDownLatch(1).await();
        }
    }
}
