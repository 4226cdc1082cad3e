package io.github.flinkps.examples.cluster;

import io.github.flinkps.testing.Polling;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.io.FileUtils;

/**
 * Machines as far as the network goes: namespaces of Linux with an address each, joined by a
 * bridge, which know each other by name. The test's process has an address there too. Needs to be
 * root. For one thread.
 */
final class TestingMachines implements AutoCloseable {
    /** Where {@code ip netns exec} finds the files of {@code /etc} that a namespace sees. */
    private static final Path FILES = Path.of("/etc/netns");

    private static final Path PROGRAMS = Path.of("src/test/resources/python").toAbsolutePath();
    private static final String PYTHON = System.getenv().getOrDefault("FLINK_PS_PYTHON", "python3");

    /** What the program of {@link #impair} says when frames pass. */
    static final String JOINED = "joined\n";

    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** Names an address on the link that no machine has. */
    private static final String NOBODY = " lladdr 02:00:00:00:00:99 dev eth nud permanent";

    private final String mark = "fps" + ProcessHandle.current().pid() % 100_000;
    private final String network = "10.77." + ProcessHandle.current().pid() % 250 + ".";
    private final List<String> names;
    private final List<ChildProcess> processes = new ArrayList<>();
    private final List<String> spaces = new ArrayList<>();

    /**
     * @throws IOException if this system makes no namespaces, or not for this user
     */
    TestingMachines(String... names) throws IOException {
        this.names = List.of(names);
        try {
            make();
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private void make() throws IOException {
        addSpace(hub());
        ip("-n " + hub() + " link add bridge type bridge");
        ip("-n " + hub() + " link set bridge up");
        ip("link add " + mark + " type veth peer name ours netns " + hub());
        ip("addr add " + network + "254/24 dev " + mark);
        ip("link set " + mark + " up");
        join("ours");
        String hosts =
                IntStream.range(0, names.size())
                        .mapToObj(i -> network + (i + 1) + " " + names.get(i) + "\n")
                        .collect(Collectors.joining("", "127.0.0.1 localhost\n", ""));
        String nameOfSystem = Files.readString(Path.of("/proc/sys/kernel/hostname"));
        for (String name : names) {
            String space = space(name);
            Files.createDirectories(FILES.resolve(space));
            Files.writeString(
                    FILES.resolve(space).resolve("hosts"),
                    hosts + address(name) + " " + nameOfSystem);
            addSpace(space);
            ip(
                    "-n "
                            + space
                            + " link add eth type veth peer name "
                            + port(name)
                            + " netns "
                            + hub());
            ip("-n " + space + " addr add " + address(name) + "/24 dev eth");
            ip("-n " + space + " link set lo up");
            ip("-n " + space + " link set eth up");
            join(port(name));
        }
    }

    private void addSpace(String space) throws IOException {
        ip("netns add " + space);
        spaces.add(space);
    }

    private void join(String port) throws IOException {
        ip("-n " + hub() + " link set " + port + " master bridge");
        ip("-n " + hub() + " link set " + port + " up");
    }

    private String hub() {
        return mark + "-hub";
    }

    private String space(String name) {
        return mark + "-" + names.indexOf(name);
    }

    private String port(String name) {
        return "to" + names.indexOf(name);
    }

    /** Returns the address of a machine, by which this process reaches it too. */
    String address(String name) {
        return network + (names.indexOf(name) + 1);
    }

    /** Returns the command line that runs a command on a machine. */
    String on(String name, String command) {
        return "ip netns exec " + space(name) + " " + command;
    }

    /** Pulls the plug of a machine's network: nobody there or elsewhere is told. */
    void unplug(String name) throws IOException {
        ip("-n " + hub() + " link set " + port(name) + " down");
    }

    void plug(String name) throws IOException {
        ip("-n " + hub() + " link set " + port(name) + " up");
    }

    /** Writes all that comes to a machine or leaves it to a file, from now on. */
    void capture(String name, Path file) throws IOException {
        python(space(name), "capture.py", file.resolveSibling("capture.out"), "eth", file + "");
    }

    /** Lets a machine be heard by nobody, while it hears the others. */
    void mute(String name) throws IOException {
        for (String other : neighbours(name)) {
            ip("-n " + space(name) + " neigh replace " + other + NOBODY);
        }
    }

    void unmute(String name) throws IOException {
        for (String other : neighbours(name)) {
            ip("-n " + space(name) + " neigh del " + other + " dev eth");
        }
    }

    private List<String> neighbours(String name) {
        List<String> addresses = new ArrayList<>(List.of(network + "254"));
        names.stream()
                .filter(each -> !each.equals(name))
                .map(this::address)
                .forEach(addresses::add);
        return addresses;
    }

    /**
     * Makes a machine's link slow and lossy, until what is returned is closed.
     *
     * @param delaySeconds of each frame, each way
     * @param loss share of the frames that are lost, each way
     * @param log of what does it
     */
    Impaired impair(String name, double delaySeconds, double loss, Path log) throws Exception {
        String near = "in" + names.indexOf(name);
        String far = "out" + names.indexOf(name);
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

    private static void ip(String arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments.split(" ")));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        try {
            if (process.waitFor() != 0) {
                throw new IOException("ip " + arguments + ": " + said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("ip " + arguments + " was interrupted", e);
        }
    }

    /** Removes the machines; whatever runs there should have ended. */
    @Override
    public void close() {
        processes.forEach(ChildProcess::kill);
        for (String space : spaces) { // links go with their namespaces
            try {
                ip("netns del " + space);
            } catch (IOException e) {
                System.err.println(e.getMessage());
            }
        }
        names.forEach(name -> FileUtils.deleteQuietly(FILES.resolve(space(name)).toFile()));
    }
}
