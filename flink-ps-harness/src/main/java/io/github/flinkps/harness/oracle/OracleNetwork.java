package io.github.flinkps.harness.oracle;

import io.github.flinkps.harness.machines.Machines;
import io.github.flinkps.harness.machines.TrialKeys;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The machines that the processes of a cluster run on: addresses of loopback, or machines whose
 * links are cut. On loopback each TaskManager has an address of its own, and so is on another
 * machine to the others. One thread.
 */
interface OracleNetwork extends AutoCloseable {
    /** The number of TaskManagers that run at a time. */
    int TASK_MANAGERS = 3;

    /** The most servers that run at a time. */
    int SERVERS = 3;

    /**
     * A place where processes run.
     *
     * @param name of it
     * @param address of it
     * @param command what begins their commands
     */
    record Host(String name, String address, List<String> command) {}

    /** A link that is cut until this is closed. */
    interface Cut extends AutoCloseable {
        @Override
        void close() throws IOException;
    }

    Host jobManager();

    /**
     * @param started how many processes were started before
     */
    Host taskManager(int place, int started);

    Host server(int place);

    /** Returns options of a server that may listen there, by their keys. */
    Map<String, String> ofServers();

    /** Returns options of a job that reaches such servers. */
    Map<String, String> ofJobs();

    /**
     * Disconnects a host from all others, until the result is closed.
     *
     * @param hears whether it still hears them
     */
    Cut cutOff(Host host, boolean hears) throws IOException;

    @Override
    void close() throws IOException;

    /** Returns the network of this machine, whose hosts differ by address alone. */
    static OracleNetwork loopback() {
        return new Loopback();
    }

    /**
     * Returns a network of machines. Their servers encrypt, and ask clients for certificates.
     *
     * @throws IOException if this system makes none
     */
    static OracleNetwork machines() throws IOException {
        return new OfMachines();
    }

    /** Places all processes on addresses of the loopback interface. */
    final class Loopback implements OracleNetwork {
        private static final int MOST_ADDRESSES = 200;

        private static Host host(String address) {
            return new Host(address, address, List.of());
        }

        @Override
        public Host jobManager() {
            return host("localhost");
        }

        @Override
        public Host taskManager(int place, int started) {
            return host("127.0.0." + (2 + started % MOST_ADDRESSES));
        }

        @Override
        public Host server(int place) {
            return host("127.0.0.1");
        }

        @Override
        public Map<String, String> ofServers() {
            return Map.of();
        }

        @Override
        public Map<String, String> ofJobs() {
            return Map.of();
        }

        @Override
        public Cut cutOff(Host host, boolean hears) {
            throw new UnsupportedOperationException("loopback has no links");
        }

        @Override
        public void close() {
            // Nothing was made.
        }
    }

    /** Places each process in a network namespace of its own; see {@link Machines}. */
    final class OfMachines implements OracleNetwork {
        private static final String JOB_MANAGER = "jobmanager";

        private final Machines machines;
        private final TrialKeys keys;

        OfMachines() throws IOException {
            machines =
                    new Machines(
                            Stream.of(
                                            Stream.of(JOB_MANAGER),
                                            names("taskmanager", TASK_MANAGERS),
                                            names("server", SERVERS))
                                    .flatMap(each -> each)
                                    .toList());
            TrialKeys made = null;
            try {
                made = TrialKeys.create(names("server", SERVERS).map(machines::address).toList());
            } finally {
                if (made == null) {
                    machines.close();
                }
            }
            keys = made;
        }

        private static Stream<String> names(String name, int count) {
            return Stream.iterate(0, place -> place + 1).limit(count).map(place -> name + place);
        }

        private Host host(String name) {
            return new Host(name, machines.address(name), machines.on(name));
        }

        @Override
        public Host jobManager() {
            return host(JOB_MANAGER);
        }

        @Override
        public Host taskManager(int place, int started) {
            return host("taskmanager" + place);
        }

        @Override
        public Host server(int place) {
            return host("server" + place);
        }

        @Override
        public Map<String, String> ofServers() {
            return keys.server();
        }

        @Override
        public Map<String, String> ofJobs() {
            return keys.client();
        }

        @Override
        public Cut cutOff(Host host, boolean hears) throws IOException {
            if (hears) {
                machines.mute(host.name());
                return () -> machines.unmute(host.name());
            }
            machines.unplug(host.name());
            return () -> machines.plug(host.name());
        }

        @Override
        public void close() throws IOException {
            try {
                keys.close();
            } finally {
                machines.close();
            }
        }
    }
}
