package io.github.flinkps.flink.internal.compat;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.TaskManagerOptions;

/** What a task may take for its share of the TaskManager's heap. */
public final class SlotHeap {
    private SlotHeap() {}

    /**
     * Bytes of this JVM's heap for each slot, whatever else they hold.
     *
     * @param taskManager the configuration of the TaskManager
     */
    public static long bytes(Configuration taskManager) {
        return Runtime.getRuntime().maxMemory()
                / taskManager.get(TaskManagerOptions.NUM_TASK_SLOTS);
    }
}
