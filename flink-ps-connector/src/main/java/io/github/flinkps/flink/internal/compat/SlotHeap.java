package io.github.flinkps.flink.internal.compat;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.TaskManagerOptions;

/** Computes the share of the TaskManager's heap that a task may take. */
public final class SlotHeap {
    private SlotHeap() {}

    /**
     * Returns an equal share of this JVM's maximum heap for each slot, in bytes, whatever else the
     * slots hold.
     *
     * @param taskManager the configuration of the TaskManager
     */
    public static long bytes(Configuration taskManager) {
        return Runtime.getRuntime().maxMemory()
                / taskManager.get(TaskManagerOptions.NUM_TASK_SLOTS);
    }
}
