package io.github.flinkps.examples.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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

    /** Writes what passes an interface to a file, until it is killed. */
    private static final String CAPTURE =
            """
            import socket, sys
            passing = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
            passing.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 << 20)
            passing.bind((sys.argv[1], 0))
            with open(sys.argv[2], "wb") as out:
                while True:
                    out.write(passing.recv(1 << 17))
                    out.flush()
            """;

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
        Path program = file.resolveSibling(file.getFileName() + ".py");
        Files.writeString(program, CAPTURE);
        String python = System.getenv().getOrDefault("FLINK_PS_PYTHON", "python3");
        List<String> command = new ArrayList<>(List.of(on(name, python).split(" ")));
        command.addAll(List.of(program.toString(), "eth", file.toString()));
        processes.add(
                ChildProcess.start(
                        "capture",
                        ClusterPage.FOLDER,
                        file.resolveSibling(file.getFileName() + ".out"),
                        Map.of(),
                        command));
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
