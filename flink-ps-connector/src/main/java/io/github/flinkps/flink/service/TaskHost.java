package io.github.flinkps.flink.service;

import io.github.flinkps.flink.internal.compat.SlotHeap;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.TaskManagerOptions;

/**
 * The host of a server inside a TaskManager.
 *
 * @param heap bytes of the JVM's heap that it may count on
 * @param bind address that it listens on
 * @param external address by which others reach it, which may be a name
 */
public record TaskHost(long heap, String bind, String external) {
    private static final String LOOPBACK = "127.0.0.1";
    private static final String ALL = "0.0.0.0";

    /** Returns one that is reached from this machine only. */
    public static TaskHost ofMachine(long heap) {
        return new TaskHost(heap, LOOPBACK, LOOPBACK);
    }

    /**
     * Returns that of a slot of a TaskManager: it listens where the TaskManager does, and is
     * reached by the TaskManager's address. One that is 127.0.0.1 or ::1 is for this machine only.
     *
     * @param taskManager its configuration
     * @param external the address that other TaskManagers know it by
     * @throws IllegalArgumentException if that address is not known here
     */
    static TaskHost of(Configuration taskManager, String external) {
        long heap = SlotHeap.bytes(taskManager);
        try {
            return isLoopback(InetAddress.getByName(external))
                    ? ofMachine(heap)
                    : new TaskHost(
                            heap,
                            taskManager.getOptional(TaskManagerOptions.BIND_HOST).orElse(ALL),
                            external);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    "taskmanager.host "
                            + external
                            + " is not known on its own machine: give a name or address that is",
                    e);
        }
    }

    /**
     * Returns whether an address is 127.0.0.1 or ::1. Other addresses of that net stand for other
     * machines, as several do in tests.
     */
    private static boolean isLoopback(InetAddress address) {
        return address.isLoopbackAddress()
                && (address.getAddress().length > 4 || address.getHostAddress().equals(LOOPBACK));
    }

    /** Returns whether it is reached from this machine only. */
    boolean isMachines() {
        return bind.equals(LOOPBACK);
    }
}
