package io.github.flinkps.harness.oracle;

import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.common.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A JobManager, TaskManagers and parameter servers, each a process, that outlive runs: what a fault
 * has killed is started again. One thread.
 */
final class OracleCluster implements AutoCloseable {
    /** A time longer than any process of Flink or of ours waits for one that does not answer. */
    static final Duration STOPPED = Duration.ofMillis(6_500);

    private static final int SLOTS = 2;
    private static final Duration START_LIMIT = Duration.ofMinutes(3);

    private final Path folder;
    private final Path configuration;
    private final OracleNetwork network;
    private final Endpoint rest;
    private final OracleWatchdog watchdog;
    private final OracleProcess jobManager;
    private final List<TaskManager> taskManagers = new ArrayList<>();
    private final List<Server> servers = new ArrayList<>();
    private int started;

    /** A server process and where it listens. */
    private record Server(OracleProcess process, String address) {}

    /** A TaskManager's process, its place, and what Flink calls it. */
    private record TaskManager(OracleProcess process, int place, String name) {}

    /**
     * @param folder of its files, beside those of runs
     * @param network that outlives it
     */
    OracleCluster(Path folder, OracleNetwork network) throws IOException {
        this.folder = folder;
        this.configuration = Files.createDirectories(folder.resolve("conf"));
        this.network = network;
        this.rest = new Endpoint(network.jobManager().address(), freePort());
        this.watchdog = OracleWatchdog.start();
        String lines =
                options().entrySet().stream()
                        .map(option -> option.getKey() + ": " + option.getValue() + "\n")
                        .collect(Collectors.joining());
        Files.writeString(configuration.resolve("config.yaml"), lines);
        this.jobManager =
                flink(network.jobManager(), OracleFlink.JOB_MANAGER, 512, OracleFlink.JOB_MANAGER);
        for (int i = 0; i < OracleNetwork.TASK_MANAGERS; i++) {
            startTaskManager();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private Map<String, Object> options() throws IOException {
        Map<String, Object> options = new TreeMap<>();
        for (String host :
                List.of("jobmanager.rpc.address", "rest.address", "jobmanager.bind-host")) {
            options.put(host, rest.host());
        }
        options.put("rest.bind-address", rest.host());
        options.put("rest.port", rest.port());
        options.put("jobmanager.rpc.port", freePort());
        options.put("io.tmp.dirs", folder.resolve("tmp"));
        options.put("web.submit.enable", false);
        options.put("web.exception-history-size", OracleRest.MOST_FAILURES);
        // What is asked over REST is to be of now.
        options.put("web.refresh-interval", 50);
        options.put("metrics.fetcher.update-interval", 100);
        options.put("heartbeat.interval", 500);
        options.put("heartbeat.timeout", 4000);
        options.put("taskmanager.numberOfTaskSlots", SLOTS);
        options.put("taskmanager.load-balance.mode", "SLOTS");
        options.put("taskmanager.cpu.cores", 2);
        // Flink's scripts work these out; here the processes are started without.
        Map<String, String> memory =
                Map.of(
                        "task.heap.size", "256m",
                        "task.off-heap.size", "128m",
                        "framework.heap.size", "128m",
                        "framework.off-heap.size", "128m",
                        "network.min", "32m",
                        "network.max", "32m",
                        "managed.size", "4m",
                        "jvm-metaspace.size", "256m",
                        "jvm-overhead.min", "192m",
                        "jvm-overhead.max", "192m");
        memory.forEach((name, size) -> options.put("taskmanager.memory." + name, size));
        return options;
    }

    private OracleProcess flink(OracleNetwork.Host host, String what, int memory, String name)
            throws IOException {
        List<String> arguments = List.of(what, configuration.toString(), name, host.address());
        return OracleProcess.start(
                watchdog,
                host,
                OracleFlink.class.getName(),
                memory,
                folder.resolve(name + ".log"),
                arguments);
    }

    /** Starts one in the first place that is free, as that of one that was killed. */
    void startTaskManager() throws IOException {
        removeDead();
        Set<Integer> taken =
                taskManagers.stream().map(TaskManager::place).collect(Collectors.toSet());
        int place = 0;
        while (taken.contains(place)) {
            place++;
        }
        OracleNetwork.Host host = network.taskManager(place, started);
        String name = OracleFlink.TASK_MANAGER + "-" + started++;
        OracleProcess process = flink(host, OracleFlink.TASK_MANAGER, 384, name);
        taskManagers.add(new TaskManager(process, place, name));
    }

    Endpoint rest() {
        return rest;
    }

    OracleNetwork network() {
        return network;
    }

    /** Waits until the slots of all TaskManagers that are alive are there. */
    void awaitSlots(OracleRest rest) throws IOException, InterruptedException {
        removeDead();
        int wanted = OracleNetwork.TASK_MANAGERS * SLOTS;
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (rest.slots() < wanted) {
            if (!jobManager.isAlive() || System.nanoTime() > deadline) {
                throw new CommandException(
                        "the oracle's Flink did not start; its output is in " + folder);
            }
            Thread.sleep(100);
        }
    }

    /** Starts as many servers as are missing, and returns where they listen. */
    List<String> servers(int count) throws IOException, InterruptedException {
        while (servers.size() < count) {
            servers.add(startServer(servers.size(), "0"));
        }
        return servers.subList(0, count).stream().map(Server::address).toList();
    }

    private Server startServer(int place, String port) throws IOException, InterruptedException {
        OracleNetwork.Host host = network.server(place);
        Path log = folder.resolve("server-" + started++ + ".log");
        List<String> options =
                new ArrayList<>(
                        List.of(
                                "--host",
                                host.address(),
                                "--port",
                                port,
                                "--model-root",
                                folder.toAbsolutePath().getParent().toString()));
        network.ofServers().forEach((key, file) -> options.addAll(List.of("--" + key, file)));
        OracleProcess process =
                OracleProcess.start(
                        watchdog, host, OracleServer.class.getName(), 256, log, options);
        return new Server(process, process.awaitLine(OracleServer.LISTENS, START_LIMIT));
    }

    private void removeDead() {
        taskManagers.removeIf(each -> !each.process.isAlive());
    }

    /**
     * Returns the TaskManager of that process, or else one of those named, or else any.
     *
     * @param otherwise says which one, if there are many
     */
    OracleProcess taskManager(long pid, Set<String> busy, int otherwise) {
        removeDead();
        List<TaskManager> meant =
                taskManagers.stream().filter(each -> each.process.pid() == pid).toList();
        if (meant.isEmpty()) {
            meant = taskManagers.stream().filter(each -> busy.contains(each.name)).toList();
        }
        if (meant.isEmpty()) {
            meant = taskManagers;
        }
        return meant.get(otherwise % meant.size()).process;
    }

    /**
     * Returns the place of the server of that process, or else that place of as many as are used.
     */
    int server(long pid, int otherwise, int used) {
        for (int i = 0; i < servers.size(); i++) {
            if (servers.get(i).process.pid() == pid) {
                return i;
            }
        }
        return otherwise % used;
    }

    OracleProcess serverProcess(int place) {
        return servers.get(place).process;
    }

    /** Kills a server, and starts it again where it listened. */
    void restartServer(int place) throws IOException, InterruptedException {
        Server killed = servers.get(place);
        killed.process.kill();
        String port = killed.address.substring(killed.address.lastIndexOf(':') + 1);
        servers.set(place, startServer(place, port));
    }

    @Override
    public void close() throws IOException {
        servers.forEach(server -> server.process.close());
        taskManagers.forEach(each -> each.process.close());
        jobManager.close();
        watchdog.close();
    }
}
