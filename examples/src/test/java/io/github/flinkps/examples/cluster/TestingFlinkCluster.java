package io.github.flinkps.examples.cluster;

import io.github.flinkps.testing.Polling;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;

/**
 * A JobManager and TaskManagers, started by Flink's own scripts, each a process of its own in the
 * foreground, so that it can be killed.
 */
final class TestingFlinkCluster implements AutoCloseable {
    static final Duration START_LIMIT = Duration.ofMinutes(2);

    /** TaskManagers of what a small machine has room for; nearly half of it is heap. */
    static final Map<String, String> SMALL_TASK_MANAGER =
            Map.ofEntries(
                    Map.entry("taskmanager.memory.process.size", "576m"),
                    Map.entry("taskmanager.memory.framework.heap.size", "64m"),
                    Map.entry("taskmanager.memory.framework.off-heap.size", "64m"),
                    Map.entry("taskmanager.memory.network.min", "16m"),
                    Map.entry("taskmanager.memory.network.max", "16m"),
                    Map.entry("taskmanager.memory.managed.size", "8m"),
                    Map.entry("taskmanager.memory.framework.off-heap.batch-shuffle.size", "16m"),
                    Map.entry("taskmanager.network.sort-shuffle.min-buffers", "64"),
                    Map.entry("taskmanager.memory.jvm-metaspace.size", "128m"),
                    Map.entry("taskmanager.memory.jvm-overhead.min", "64m"));

    /**
     * A lost process is noticed soon, and a JobManager that comes up after its TaskManagers, too.
     */
    private static final Map<String, String> SETTINGS =
            Map.ofEntries(
                    Map.entry("jobmanager.memory.process.size", "544m"),
                    Map.entry("jobmanager.memory.off-heap.size", "64m"),
                    Map.entry("jobmanager.memory.jvm-metaspace.size", "128m"),
                    Map.entry("jobmanager.memory.jvm-overhead.min", "64m"),
                    Map.entry("jobmanager.rpc.address", "localhost"),
                    Map.entry("jobmanager.bind-host", "localhost"),
                    Map.entry("taskmanager.host", "localhost"),
                    Map.entry("taskmanager.bind-host", "localhost"),
                    Map.entry("rest.address", "localhost"),
                    Map.entry("rest.bind-address", "localhost"),
                    Map.entry("heartbeat.interval", "2 s"),
                    Map.entry("heartbeat.timeout", "10 s"),
                    Map.entry("cluster.registration.error-delay", "200 ms"),
                    Map.entry("client.retry-period", "100 ms"),
                    Map.entry("metrics.fetcher.update-interval", "500 ms"));

    private static final ClassLoader LOADER = TestingFlinkCluster.class.getClassLoader();

    private final Path home;
    private final Path folder;
    private final FlinkRest rest;
    private final List<ChildProcess> processes = new ArrayList<>();

    /**
     * @param home of Flink, see {@link #home}
     * @param folder for its configuration and all it writes
     */
    TestingFlinkCluster(Path home, Path folder) throws IOException {
        this(home, folder, SMALL_TASK_MANAGER);
    }

    /**
     * @param more settings, of the memory of TaskManagers among them; Flink's own beyond them
     */
    TestingFlinkCluster(Path home, Path folder, Map<String, String> more) throws IOException {
        this.home = home;
        this.folder = Files.createDirectories(folder);
        int restPort;
        int rpcPort;
        try (ServerSocket one = new ServerSocket(0);
                ServerSocket two = new ServerSocket(0)) {
            restPort = one.getLocalPort();
            rpcPort = two.getLocalPort();
        }
        for (String part : List.of("conf", "log", "pid", "tmp")) {
            Files.createDirectories(folder.resolve(part));
        }
        try (Stream<Path> files = Files.list(home.resolve("conf"))) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (file.getFileName().toString().startsWith("log4j")) {
                    FileUtils.copyToDirectory(file.toFile(), folder.resolve("conf").toFile());
                }
            }
        }
        Map<String, String> settings = new TreeMap<>(SETTINGS);
        settings.putAll(more);
        settings.putIfAbsent("rest.port", Integer.toString(restPort));
        settings.putIfAbsent("jobmanager.rpc.port", Integer.toString(rpcPort));
        this.rest = new FlinkRest(settings.get("rest.address"), settings.get("rest.port"));
        settings.put("io.tmp.dirs", folder.resolve("tmp").toString());
        settings.put(
                "env.java.opts.all",
                javaOptions(home) + " -XX:+UseSerialGC -Djava.io.tmpdir=" + folder.resolve("tmp"));
        Files.write(
                folder.resolve("conf/config.yaml"),
                settings.entrySet().stream()
                        .map(setting -> setting.getKey() + ": " + setting.getValue())
                        .toList());
    }

    /** A distribution's home of one's own: the same, but {@code lib} and {@code opt} to add to. */
    static Path home(Path distribution, Path home) throws IOException {
        FileUtils.copyDirectoryToDirectory(distribution.resolve("bin").toFile(), home.toFile());
        for (String part : List.of("conf", "plugins")) {
            FileUtils.copyDirectoryToDirectory(distribution.resolve(part).toFile(), home.toFile());
        }
        for (String part : List.of("lib", "opt")) {
            Path folder = Files.createDirectories(home.resolve(part));
            try (Stream<Path> jars = Files.list(distribution.resolve(part))) {
                for (Path jar : (Iterable<Path>) jars.filter(Files::isRegularFile)::iterator) {
                    link(folder.resolve(jar.getFileName()), jar);
                }
            }
        }
        return home;
    }

    /** Adds the jar without which {@code sql-client.sh} ends, and which PyPI does not have. */
    static void addSqlGateway(Path home) throws Exception {
        Path jar =
                Path.of(
                        Class.forName("org.apache.flink.table.gateway.SqlGateway", false, LOADER)
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI());
        link(home.resolve("opt").resolve(jar.getFileName()), jar);
    }

    /**
     * Adds the gateway to a Flink of another version than ours; see {@link #addSqlGateway(Path)}.
     */
    static void addSqlGateway(Path home, String version) throws IOException {
        String jar = "flink-sql-gateway-" + version + ".jar";
        Path built = Path.of("target", "sql-gateways").toAbsolutePath();
        link(home.resolve("opt").resolve(jar), built.resolve(jar));
    }

    private static void link(Path name, Path jar) throws IOException {
        try {
            Files.createLink(name, jar);
        } catch (IOException | UnsupportedOperationException onAnotherFileSystem) {
            Files.copy(jar, name);
        }
    }

    /** Returns the options by which the distribution opens packages of the JDK. */
    private static String javaOptions(Path home) throws IOException {
        return Files.readAllLines(home.resolve("conf/config.yaml")).stream()
                .map(String::strip)
                .filter(line -> line.startsWith("all: --add-"))
                .map(line -> line.substring("all: ".length()))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the variables that Flink's scripts need. */
    private Map<String, String> environment() {
        return Map.of(
                "FLINK_HOME", home.toString(),
                "FLINK_CONF_DIR", folder.resolve("conf").toString(),
                "FLINK_LOG_DIR", folder.resolve("log").toString(),
                "FLINK_PID_DIR", folder.resolve("pid").toString(),
                "JAVA_HOME", System.getProperty("java.home"),
                // The scripts start JVMs of their own, as short as most of this cluster's.
                "JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1");
    }

    /**
     * Runs a command line of a user of this cluster, in the folder of the repository; it goes with
     * the cluster.
     */
    ChildProcess run(String name, String command) throws IOException {
        return run(name, ClusterPage.FOLDER, command);
    }

    private ChildProcess run(String name, Path place, String command) throws IOException {
        Path log = folder.resolve("log").resolve(name + "-" + processes.size() + ".out");
        ChildProcess process =
                ChildProcess.start(
                        name, place, log, environment(), List.of("bash", "-c", "exec " + command));
        processes.add(process);
        return process;
    }

    ChildProcess startJobManager() throws IOException {
        return run("jobmanager", folder, "$FLINK_HOME/bin/jobmanager.sh start-foreground");
    }

    ChildProcess startTaskManager(int slots) throws IOException {
        return startTaskManager(slots, "localhost");
    }

    /** Starts a TaskManager that is known by, and listens on, an address of this machine. */
    ChildProcess startTaskManager(int slots, String host) throws IOException {
        return run(
                "taskmanager",
                folder,
                "$FLINK_HOME/bin/taskmanager.sh start-foreground -Dtaskmanager.numberOfTaskSlots=%d"
                                .formatted(slots)
                        + " -Dtaskmanager.host=%s -Dtaskmanager.bind-host=%s"
                                .formatted(host, host));
    }

    void awaitTaskManagers(int number) throws Exception {
        Polling.await(
                START_LIMIT,
                () -> rest.taskManagers() == number,
                () -> "there are not " + number + " TaskManagers\n" + logs());
    }

    FlinkRest rest() {
        return rest;
    }

    /** The ends of what all processes have written, for messages. */
    String logs() {
        return processes.stream()
                .map(process -> "== " + process.name() + "\n" + process.tail(25))
                .collect(Collectors.joining("\n"));
    }

    /** Ends all at a time, then waits for each. */
    @Override
    public void close() throws Exception {
        processes.forEach(ChildProcess::kill);
        for (ChildProcess process : processes) {
            process.close();
        }
    }
}
