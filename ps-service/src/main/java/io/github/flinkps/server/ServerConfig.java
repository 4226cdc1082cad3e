package io.github.flinkps.server;

import io.github.flinkps.common.Range;
import io.github.flinkps.server.ServerOption.Machine;
import io.github.flinkps.server.store.Partition;
import io.github.flinkps.transport.ConnectionLimits;
import io.netty.util.internal.PlatformDependent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Settings of a server. Each option is declared in the record whose component it is; {@link
 * #OPTIONS} lists them all.
 *
 * @param listen where it listens
 * @param owners number of owner threads
 * @param fence the only one it takes, or 0 for a server of a cluster, which grants them
 * @param requests limits on what clients have under way
 * @param connections limits on connections
 * @param store limits on what it keeps
 * @param cuts limits of cuts
 * @param security how it and its clients prove who they are
 * @param modelRoot directory in which alone it writes and reads files for its clients, or null
 */
public record ServerConfig(
        Listen listen,
        int owners,
        long fence,
        RequestLimits requests,
        Connections connections,
        StoreLimits store,
        CutLimits cuts,
        ServerSecurity security,
        String modelRoot) {
    /** The largest number of servers that hold a model. */
    public static final int MOST_SERVERS = 4096;

    /** Most workers of a model. Each tells all others of its losses at a barrier. */
    public static final int MOST_WORKERS = 2000;

    public static final ServerOption<Integer> OWNERS =
            new ServerOption<>(
                    "owners",
                    OptionType.COUNT,
                    Range.between(1, 256),
                    Machine::owners,
                    "half of the cores",
                    "Number of threads that own partitions.");

    public static final ServerOption<String> MODEL_ROOT =
            new ServerOption<>(
                    "model-root",
                    OptionType.TEXT,
                    Range.any(),
                    machine -> null,
                    "none",
                    "Directory, or URI in a store that Flink reaches, in which alone cuts of models"
                            + " are written and read, wherever clients"
                            + " want them. A server that is reached from other machines, or asks"
                            + " who its clients are, takes no cuts without it.");

    /**
     * The address on which a server listens.
     *
     * @param host address of this machine; nothing beyond loopback without authentication
     * @param port 0 for any free one
     * @param advertise name or address by which clients reach it
     */
    public record Listen(String host, int port, String advertise) {
        public static final ServerOption<String> HOST =
                new ServerOption<>(
                        "host",
                        OptionType.TEXT,
                        Range.any(),
                        "127.0.0.1",
                        "Address of this machine to listen on.");

        public static final ServerOption<Integer> PORT =
                new ServerOption<>(
                        "port",
                        OptionType.COUNT,
                        Range.between(0, 65535),
                        "0",
                        "Port to listen on; 0 for any free one.");

        public static final ServerOption<String> ADVERTISE =
                new ServerOption<>(
                        "advertise",
                        OptionType.TEXT,
                        Range.any(),
                        machine -> null,
                        "host",
                        "Name or address by which clients reach the server, where that is not the"
                                + " address it listens on.");

        public Listen {
            PORT.check(port);
        }

        private static Listen of(Map<String, String> given, Machine machine) {
            String host = HOST.of(given, machine);
            String advertise = ADVERTISE.of(given, machine);
            return new Listen(host, PORT.of(given, machine), advertise == null ? host : advertise);
        }
    }

    /**
     * Limits on what clients have under way.
     *
     * @param maxFrameBytes largest frame taken from a client
     * @param inFlightBytes of a connection: of its requests that wait, and of answers that it does
     *     not take
     * @param maxParked requests that may wait at an owner thread
     */
    public record RequestLimits(int maxFrameBytes, long inFlightBytes, int maxParked) {
        public static final ServerOption<Long> MAX_FRAME_BYTES =
                new ServerOption<>(
                        "max-frame-bytes",
                        OptionType.MEMORY,
                        Range.between(1L << 16, (long) Integer.MAX_VALUE),
                        "256m",
                        "Size of the largest message taken from a client, and of the largest"
                                + " answer to it.");

        /** Has room for the windows of several sessions, above what a socket buffers itself. */
        public static final ServerOption<Long> IN_FLIGHT_BYTES =
                new ServerOption<>(
                        "in-flight-bytes",
                        OptionType.MEMORY,
                        Range.atLeast(4L << 20),
                        "64m",
                        "Memory of a connection for requests that wait, and for answers that the"
                                + " client does not take. Beyond it requests are answered"
                                + " THROTTLED, or nothing more is read.");

        public static final ServerOption<Integer> MAX_PARKED =
                new ServerOption<>(
                        "max-parked",
                        OptionType.COUNT,
                        Range.between(1, 1 << 20),
                        "4096",
                        "Number of requests that may wait at an owner thread. Further ones are"
                                + " answered THROTTLED.");

        public RequestLimits {
            MAX_FRAME_BYTES.check((long) maxFrameBytes);
            IN_FLIGHT_BYTES.check(inFlightBytes);
            MAX_PARKED.check(maxParked);
        }

        private static RequestLimits of(Map<String, String> given, Machine machine) {
            return new RequestLimits(
                    Math.toIntExact(MAX_FRAME_BYTES.of(given, machine)),
                    IN_FLIGHT_BYTES.of(given, machine),
                    MAX_PARKED.of(given, machine));
        }
    }

    /**
     * Limits on connections, whoever makes them.
     *
     * @param most at a time
     * @param mostPerAddress of one address at a time
     * @param assemblyBytes memory of messages that arrive
     * @param unsentBytes memory of answers that clients do not take
     * @param peerTimeout time after which a connection is given up whose other end has vanished
     */
    public record Connections(
            int most,
            int mostPerAddress,
            long assemblyBytes,
            long unsentBytes,
            Duration peerTimeout) {
        public static final ServerOption<Integer> MOST =
                new ServerOption<>(
                        "max-connections",
                        OptionType.COUNT,
                        Range.between(1, 1 << 20),
                        "16384",
                        "Number of connections at a time. Further ones are closed at once.");

        public static final ServerOption<Integer> MOST_PER_ADDRESS =
                new ServerOption<>(
                        "max-connections-per-address",
                        OptionType.COUNT,
                        Range.between(1, 1 << 20),
                        "4096",
                        "Number of connections of one address at a time. Further ones are closed at"
                                + " once.");

        public static final ServerOption<Long> ASSEMBLY_BYTES =
                new ServerOption<>(
                        "assembly-bytes",
                        OptionType.MEMORY,
                        Range.atLeast(1L << 20),
                        Connections::assembly,
                        "as much as a quarter of the heap, and of the direct memory at most",
                        "Memory for messages of which a part has arrived, over all connections."
                                + " Beyond it the client that has most of it loses connections, and"
                                + " tries again.");

        public static final ServerOption<Long> UNSENT_BYTES =
                new ServerOption<>(
                        "unsent-bytes",
                        OptionType.MEMORY,
                        Range.atLeast(1L << 20),
                        machine -> Math.max(SMALLEST, direct(machine) / 2),
                        "half of the direct memory",
                        "Memory for answers that clients do not take, over all connections; half of"
                                + " it for those of one name. Beyond it large requests are answered"
                                + " THROTTLED.");

        public static final ServerOption<Duration> PEER_TIMEOUT =
                new ServerOption<>(
                        "peer-timeout",
                        OptionType.TIME,
                        Range.between(Duration.ofSeconds(1), Duration.ofHours(1)),
                        machine -> ConnectionLimits.PEER_TIMEOUT,
                        ConnectionLimits.PEER_TIMEOUT.toSeconds() + " s",
                        "Time after which a connection is given up whose other end has vanished"
                                + " without a word, as when it has lost its power or cable. So is"
                                + " one that does not go on with a message it has begun.");

        private static long assembly(Machine machine) {
            return Math.max(SMALLEST, Math.min(machine.heap(), direct(machine)) / 4);
        }

        /** Returns a server's part of the direct memory, which is that of the heap. */
        private static long direct(Machine machine) {
            double part = Math.min(1, (double) machine.heap() / Runtime.getRuntime().maxMemory());
            return (long) (part * PlatformDependent.maxDirectMemory());
        }

        public Connections {
            MOST.check(most);
            MOST_PER_ADDRESS.check(mostPerAddress);
            ASSEMBLY_BYTES.check(assemblyBytes);
            UNSENT_BYTES.check(unsentBytes);
            PEER_TIMEOUT.check(peerTimeout);
        }

        private static Connections of(Map<String, String> given, Machine machine) {
            return new Connections(
                    MOST.of(given, machine),
                    MOST_PER_ADDRESS.of(given, machine),
                    ASSEMBLY_BYTES.of(given, machine),
                    UNSENT_BYTES.of(given, machine),
                    PEER_TIMEOUT.of(given, machine));
        }

        ConnectionLimits limits() {
            return new ConnectionLimits(
                    most, mostPerAddress, assemblyBytes, unsentBytes, peerTimeout);
        }
    }

    /**
     * Limits on what a server keeps.
     *
     * @param keyCacheBytes memory of cached key lists per owner thread
     * @param partitionRows most rows of a sparse table's partition; beyond it TABLE_FULL
     */
    public record StoreLimits(long keyCacheBytes, int partitionRows) {
        public static final ServerOption<Long> KEY_CACHE_BYTES =
                new ServerOption<>(
                        "key-cache-bytes",
                        OptionType.MEMORY,
                        Range.atLeast(0L),
                        machine -> Math.max(SMALLEST, machine.heap() / 8 / machine.owners()),
                        "an eighth of the heap, over all owner threads",
                        "Memory of an owner thread for lists of keys seen before.");

        public static final ServerOption<Integer> PARTITION_ROWS =
                new ServerOption<>(
                        "partition-rows",
                        OptionType.COUNT,
                        Range.between(1, Partition.MAX_SPARSE_ROWS),
                        Integer.toString(Partition.MAX_SPARSE_ROWS),
                        "Number of rows that a partition of a sparse table may have. A push of"
                                + " further ones is answered TABLE_FULL.");

        public StoreLimits {
            KEY_CACHE_BYTES.check(keyCacheBytes);
            PARTITION_ROWS.check(partitionRows);
        }

        private static StoreLimits of(Map<String, String> given, Machine machine) {
            return new StoreLimits(
                    KEY_CACHE_BYTES.of(given, machine), PARTITION_ROWS.of(given, machine));
        }
    }

    /**
     * Limits of cuts.
     *
     * @param timeout longest wait behind a marker, and longest time a cut may be written
     * @param holdBytes pushes deferred behind markers by an owner thread, per model
     * @param savedBytes memory per owner thread and model for rows saved from being overwritten
     */
    public record CutLimits(Duration timeout, long holdBytes, long savedBytes) {
        public static final ServerOption<Duration> TIMEOUT =
                new ServerOption<>(
                        "cut-timeout",
                        OptionType.TIME,
                        Range.atLeast(Duration.ofMillis(1)),
                        "10 min",
                        "Longest wait for the markers of a cut, and longest time it may be"
                                + " written, unless the job names a time of its own.");

        public static final ServerOption<Long> HOLD_BYTES =
                new ServerOption<>(
                        "cut-hold-bytes",
                        OptionType.MEMORY,
                        Range.atLeast(1L << 20),
                        machine -> Math.min(256L << 20, eighth(machine)),
                        "an eighth of the heap, at most 256m",
                        "Memory of an owner thread, per model, for pushes that wait behind a"
                                + " marker. Beyond it pushes are answered THROTTLED.");

        public static final ServerOption<Long> SAVED_BYTES =
                new ServerOption<>(
                        "cut-saved-bytes",
                        OptionType.MEMORY,
                        Range.atLeast(1L << 20),
                        CutLimits::eighth,
                        "an eighth of the heap",
                        "Memory of an owner thread, per model, for rows saved from being"
                                + " overwritten before a cut has copied them. Beyond it pushes,"
                                + " and what ends rounds of BSP, are answered THROTTLED. What one"
                                + " push or round writes may come on top. So may the pushes that"
                                + " have waited behind a marker.");

        public CutLimits {
            TIMEOUT.check(timeout);
            HOLD_BYTES.check(holdBytes);
            SAVED_BYTES.check(savedBytes);
        }

        private static CutLimits of(Map<String, String> given, Machine machine) {
            return new CutLimits(
                    TIMEOUT.of(given, machine),
                    HOLD_BYTES.of(given, machine),
                    SAVED_BYTES.of(given, machine));
        }

        private static long eighth(Machine machine) {
            return Math.max(SMALLEST, machine.heap() / 8);
        }
    }

    /** All options, in the order in which they are shown. */
    public static final List<ServerOption<?>> OPTIONS =
            Stream.concat(
                            Stream.of(
                                    Listen.HOST,
                                    Listen.PORT,
                                    Listen.ADVERTISE,
                                    OWNERS,
                                    RequestLimits.MAX_FRAME_BYTES,
                                    RequestLimits.IN_FLIGHT_BYTES,
                                    RequestLimits.MAX_PARKED,
                                    Connections.MOST,
                                    Connections.MOST_PER_ADDRESS,
                                    Connections.ASSEMBLY_BYTES,
                                    Connections.UNSENT_BYTES,
                                    Connections.PEER_TIMEOUT,
                                    StoreLimits.KEY_CACHE_BYTES,
                                    StoreLimits.PARTITION_ROWS,
                                    CutLimits.TIMEOUT,
                                    CutLimits.HOLD_BYTES,
                                    CutLimits.SAVED_BYTES,
                                    MODEL_ROOT),
                            ServerSecurity.OPTIONS.stream())
                    .toList();

    /** The options of a server that is a process of its own: where it listens, and to whom. */
    public static final List<ServerOption<?>> OF_MACHINE =
            Stream.concat(
                            Stream.of(Listen.HOST, Listen.PORT, Listen.ADVERTISE, MODEL_ROOT),
                            ServerSecurity.OPTIONS.stream()
                                    .filter(option -> !option.equals(ServerSecurity.TOKEN_FILE)))
                    .toList();

    /** The least of what is a share of the heap, in bytes. */
    private static final long SMALLEST = 16L << 20;

    public ServerConfig {
        OWNERS.check(owners);
        if (fence < 0) {
            throw new IllegalArgumentException("fence must be at least 0, not " + fence);
        }
    }

    /** Returns the defaults of a server that has the heap for itself. */
    public static ServerConfig defaults() {
        return of(Map.of(), Runtime.getRuntime().maxMemory());
    }

    /**
     * Returns the settings that are given; what is not has its default.
     *
     * @param given texts of options by key
     * @param heap bytes of heap for the server; about half of it is left for models
     * @throws IllegalArgumentException naming an option that is none, or whose value is wrong
     */
    public static ServerConfig of(Map<String, String> given, long heap) {
        TreeSet<String> unknown = new TreeSet<>(given.keySet());
        OPTIONS.forEach(option -> unknown.remove(option.key()));
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    unknown.first() + " is no option of a server: they are " + keys());
        }
        int half = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        Machine machine = new Machine(heap, OWNERS.of(given, new Machine(heap, half)));
        return new ServerConfig(
                Listen.of(given, machine),
                machine.owners(),
                0,
                RequestLimits.of(given, machine),
                Connections.of(given, machine),
                StoreLimits.of(given, machine),
                CutLimits.of(given, machine),
                ServerSecurity.of(given, machine),
                MODEL_ROOT.of(given, machine));
    }

    private static List<String> keys() {
        return OPTIONS.stream().map(ServerOption::key).toList();
    }

    public ServerConfig withListen(Listen other) {
        return new ServerConfig(
                other, owners, fence, requests, connections, store, cuts, security, modelRoot);
    }

    public ServerConfig withPort(int port) {
        return withListen(new Listen(listen.host(), port, listen.advertise()));
    }

    public ServerConfig withOwners(int count) {
        return new ServerConfig(
                listen, count, fence, requests, connections, store, cuts, security, modelRoot);
    }

    public ServerConfig withFence(long only) {
        return new ServerConfig(
                listen, owners, only, requests, connections, store, cuts, security, modelRoot);
    }

    public ServerConfig withRequests(RequestLimits limits) {
        return new ServerConfig(
                listen, owners, fence, limits, connections, store, cuts, security, modelRoot);
    }

    public ServerConfig withStore(StoreLimits limits) {
        return new ServerConfig(
                listen, owners, fence, requests, connections, limits, cuts, security, modelRoot);
    }

    public ServerConfig withSecurity(ServerSecurity given) {
        return new ServerConfig(
                listen, owners, fence, requests, connections, store, cuts, given, modelRoot);
    }

    public ServerConfig withCuts(CutLimits limits) {
        return new ServerConfig(
                listen, owners, fence, requests, connections, store, limits, security, modelRoot);
    }

    public ServerConfig withConnections(Connections limits) {
        return new ServerConfig(
                listen, owners, fence, requests, limits, store, cuts, security, modelRoot);
    }
}
