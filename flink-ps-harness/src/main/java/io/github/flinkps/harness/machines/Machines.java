package io.github.flinkps.harness.machines;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Machines as far as the network goes: namespaces of Linux with an address each, joined by a
 * bridge, which know each other by name. This process has an address there too. Needs to be root.
 * One thread.
 */
public class Machines implements AutoCloseable {
    /** Holds what {@code ip netns exec} puts in the place of files of {@code /etc}. */
    private static final Path FILES = Path.of("/etc/netns");

    private static final String PREFIX = "flinkps";
    private static final Pattern SPACE = Pattern.compile(PREFIX + "(\\d+)-\\w+");
    private static final int NETWORKS = 250;
    private static final int OURS = 254;

    /** Names an address on the link that no machine has. */
    private static final String NOBODY = " lladdr 02:00:00:00:00:99 dev eth nud permanent";

    private final long pid = ProcessHandle.current().pid();
    private final String mark = PREFIX + pid;
    private final List<String> names;
    private final String network;
    private final List<String> spaces = new ArrayList<>();

    /**
     * Makes machines, and removes those of processes that have ended without doing so.
     *
     * @param names of the machines
     * @throws IOException if this system makes no namespaces, or not for this user
     */
    public Machines(List<String> names) throws IOException {
        this.names = List.copyOf(names);
        this.network = unusedNetwork();
        boolean made = false;
        try {
            removeLeft();
            make();
            made = true;
        } finally {
            if (!made) {
                close();
            }
        }
    }

    private String unusedNetwork() throws IOException {
        List<String> used =
                NetworkInterface.networkInterfaces()
                        .flatMap(NetworkInterface::inetAddresses)
                        .map(InetAddress::getHostAddress)
                        .toList();
        for (int i = 0; i < NETWORKS; i++) {
            String each = "10.77." + (pid + i) % NETWORKS + ".";
            if (!used.contains(each + OURS)) {
                return each;
            }
        }
        throw new IOException("all networks 10.77.* are in use");
    }

    /** Removes namespaces of processes that were killed. */
    private static void removeLeft() throws IOException {
        for (String line : ip("netns list").split("\n")) {
            Matcher space = SPACE.matcher(line.split(" ")[0]);
            if (space.matches() && ProcessHandle.of(Long.parseLong(space.group(1))).isEmpty()) {
                remove(space.group());
            }
        }
    }

    private static void remove(String space) throws IOException {
        ip("netns del " + space); // links go with it
        Files.deleteIfExists(hosts(space));
        Files.deleteIfExists(FILES.resolve(space));
    }

    private static Path hosts(String space) {
        return FILES.resolve(space).resolve("hosts");
    }

    private void make() throws IOException {
        addSpace(hub());
        ip("-n " + hub() + " link add bridge type bridge");
        ip("-n " + hub() + " link set bridge up");
        ip("link add " + mark + " type veth peer name ours netns " + hub());
        ip("addr add " + network + OURS + "/24 dev " + mark);
        ip("link set " + mark + " up");
        join("ours");
        String hosts =
                names.stream()
                        .map(name -> address(name) + " " + name + "\n")
                        .collect(Collectors.joining("", "127.0.0.1 localhost\n", ""));
        String nameOfSystem = Files.readString(Path.of("/proc/sys/kernel/hostname"));
        for (String name : names) {
            String space = space(name);
            addSpace(space);
            Files.createDirectories(FILES.resolve(space));
            Files.writeString(hosts(space), hosts + address(name) + " " + nameOfSystem);
            ip(
                    "-n %s link add eth type veth peer name %s netns %s"
                            .formatted(space, port(name), hub()));
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

    /** Joins a link's end in {@link #hub} to the bridge there. */
    public void join(String port) throws IOException {
        ip("-n " + hub() + " link set " + port + " master bridge");
        ip("-n " + hub() + " link set " + port + " up");
    }

    /** Returns the namespace that has the bridge. */
    public String hub() {
        return mark + "-hub";
    }

    /** Returns the namespace of a machine, whose link to the bridge is {@code eth} there. */
    public String space(String name) {
        return mark + "-" + place(name);
    }

    /** Returns the end of a machine's link in {@link #hub}. */
    public String port(String name) {
        return "to" + place(name);
    }

    /** Returns the number of a machine, from 0. */
    public int place(String name) {
        return names.indexOf(name);
    }

    /** Returns the address of a machine, by which this process reaches it too. */
    public String address(String name) {
        return network + (place(name) + 1);
    }

    /** Returns what begins a command that runs on a machine, with the process's number. */
    public List<String> on(String name) {
        return List.of("ip", "netns", "exec", space(name));
    }

    /** Pulls the plug of a machine's network: nobody there or elsewhere is told. */
    public void unplug(String name) throws IOException {
        ip("-n " + hub() + " link set " + port(name) + " down");
    }

    /** Does the contrary of {@link #unplug}. */
    public void plug(String name) throws IOException {
        ip("-n " + hub() + " link set " + port(name) + " up");
    }

    /** Lets a machine be heard by nobody, while it hears the others. */
    public void mute(String name) throws IOException {
        for (String other : neighbours(name)) {
            ip("-n " + space(name) + " neigh replace " + other + NOBODY);
        }
    }

    /** Does the contrary of {@link #mute}. */
    public void unmute(String name) throws IOException {
        for (String other : neighbours(name)) {
            ip("-n " + space(name) + " neigh del " + other + " dev eth");
        }
    }

    private List<String> neighbours(String name) {
        List<String> addresses = new ArrayList<>(List.of(network + OURS));
        names.stream()
                .filter(each -> !each.equals(name))
                .map(this::address)
                .forEach(addresses::add);
        return addresses;
    }

    /**
     * Runs {@code ip}.
     *
     * @return what it says
     * @throws IOException with what it says, if it fails
     */
    public static String ip(String arguments) throws IOException {
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
        return said;
    }

    /** Removes the machines; whatever runs there should have ended. */
    @Override
    public void close() throws IOException {
        IOException failure = null;
        for (String space : spaces) {
            try {
                remove(space);
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
