package io.github.flinkps.examples.cluster;

import io.github.flinkps.harness.machines.Machines;
import io.github.flinkps.testing.Polling;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Machines whose traffic is captured, and whose links are slow and lossy. For one thread. */
final class TestingMachines extends Machines {
    private static final Path PROGRAMS = Path.of("src/test/resources/python").toAbsolutePath();
    private static final String PYTHON = System.getenv().getOrDefault("FLINK_PS_PYTHON", "python3");

    /** The output of the program of {@link #impair} when frames pass. */
    static final String JOINED = "joined\n";

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final List<ChildProcess> processes = new ArrayList<>();

    /**
     * @throws IOException if this system makes no namespaces, or not for this user
     */
    TestingMachines(String... names) throws IOException {
        super(List.of(names));
    }

    /** Returns the command line that runs a command on a machine. */
    String on(String name, String command) {
        return String.join(" ", on(name)) + " " + command;
    }

    /**
     * Writes all that comes to a machine or leaves it to a file, from now on.
     *
     * @param leftOut ports of TCP whose traffic is left out
     */
    void capture(String name, Path file, String... leftOut) throws IOException {
        Path log = file.resolveSibling(file.getFileName() + ".out");
        List<String> arguments = new ArrayList<>(List.of("eth", file.toString()));
        arguments.addAll(List.of(leftOut));
        python(space(name), "capture.py", log, arguments.toArray(String[]::new));
    }

    /**
     * Makes a machine's link slow and lossy, until what is returned is closed.
     *
     * @param delaySeconds of each frame, each way
     * @param loss share of the frames that are lost, each way
     * @param log of what does it
     */
    Impaired impair(String name, double delaySeconds, double loss, Path log) throws Exception {
        String near = "in" + place(name);
        String far = "out" + place(name);
        succeeds(python(space(name), "bridge.py", log, "eth"));
        ip("-n " + hub() + " link add " + near + " type veth peer name " + far);
        ip("-n " + hub() + " link set " + near + " up");
        succeeds(python(hub(), "bridge.py", log, far));
        ip("-n " + hub() + " link set " + port(name) + " nomaster");
        ChildProcess bridge =
                python(hub(), "bridge.py", log, port(name), near, delaySeconds + "", loss + "");
        Impaired link =
                () -> {
                    bridge.kill();
                    ip("-n " + hub() + " link del " + near);
                    join(port(name));
                };
        boolean joined = false;
        try {
            join(far);
            Polling.await(LIMIT, () -> Files.readString(log).equals(JOINED), () -> bridge.tail(20));
            joined = true;
            return link;
        } finally {
            if (!joined) {
                link.close();
            }
        }
    }

    private static void succeeds(ChildProcess process) throws Exception {
        if (process.awaitExit(LIMIT) != 0) {
            throw new IOException(process.tail(20));
        }
    }

    /** Returns how long a machine takes to say that nobody listens. */
    Duration roundTrip(String name) throws IOException {
        long begun = System.nanoTime();
        try (Socket socket = new Socket(address(name), 1)) {
            throw new IOException("somebody listens at " + socket);
        } catch (ConnectException refused) {
            return Duration.ofNanos(System.nanoTime() - begun);
        }
    }

    /** A link that is slow and lossy. */
    interface Impaired extends AutoCloseable {
        @Override
        void close() throws IOException;
    }

    private ChildProcess python(String space, String program, Path log, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", space, PYTHON));
        command.add(PROGRAMS.resolve(program).toString());
        command.addAll(List.of(arguments));
        ChildProcess process =
                ChildProcess.start(program, ClusterPage.FOLDER, log, Map.of(), command);
        processes.add(process);
        return process;
    }

    /** Removes the machines; whatever else runs there should have ended. */
    @Override
    public void close() throws IOException {
        processes.forEach(ChildProcess::kill);
        super.close();
    }
}
