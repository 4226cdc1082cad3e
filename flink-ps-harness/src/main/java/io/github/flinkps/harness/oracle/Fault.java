package io.github.flinkps.harness.oracle;

import java.util.Locale;

/** The faults that happen to a job. */
enum Fault {
    /** An exception in the task of a worker. */
    WORKER_EXCEPTION,
    /** A TaskManager is killed by SIGKILL, and another one started. */
    TASK_MANAGER_KILL,
    /** A server process is killed by SIGKILL, and started again at its address. */
    SERVER_KILL,
    /** A TaskManager is stopped by SIGSTOP for longer than all timeouts, then continued. */
    TASK_MANAGER_STOP,
    /** A server process is stopped by SIGSTOP for longer than all timeouts, then continued. */
    SERVER_STOP,
    /** A task or a server fails to do its part of a checkpoint. */
    CHECKPOINT_FAILURE,
    /** A checkpoint is not complete within its timeout. */
    CHECKPOINT_TIMEOUT,
    /** A TaskManager is reached or heard by nobody for longer than all timeouts. */
    TASK_MANAGER_CUT_OFF,
    /** A server process is reached or heard by nobody for longer than all timeouts. */
    SERVER_CUT_OFF,
    /** The job is stopped with a savepoint, and another one goes on from that. */
    SAVEPOINT_RESUME,
    /** The job is stopped with a savepoint and resumed, with 1, 4 and then 2 workers. */
    RESCALE_WORKERS,
    /** The job is stopped with a savepoint and resumed, with 1, 3 and then 2 servers. */
    RESCALE_SERVERS,
    /** The servers' storage refuses all writes for a while. */
    DISK_FULL;

    /** Returns the name in reports. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns whether it needs servers in processes of their own. */
    boolean ofServers() {
        return this == SERVER_KILL || this == SERVER_STOP || this == SERVER_CUT_OFF;
    }

    /** Returns whether it needs machines whose links can be cut. */
    boolean ofMachines() {
        return this == TASK_MANAGER_CUT_OFF || this == SERVER_CUT_OFF;
    }

    /** Returns whether the job is stopped, and another one goes on. */
    boolean stops() {
        return this == SAVEPOINT_RESUME || this == RESCALE_WORKERS || this == RESCALE_SERVERS;
    }

    /**
     * Returns whether a checkpoint fails by it; by others that do not stop the job it begins anew.
     */
    boolean failsCheckpoint() {
        return this == CHECKPOINT_FAILURE || this == CHECKPOINT_TIMEOUT || this == DISK_FULL;
    }

    /** Returns whether there is such a thing in a phase. */
    boolean canHappen(Phase phase) {
        return switch (this) {
            // Nothing of a worker runs any more when the model is saved.
            case WORKER_EXCEPTION -> phase != Phase.FINISHING;
            case TASK_MANAGER_KILL,
                    SERVER_KILL,
                    TASK_MANAGER_STOP,
                    SERVER_STOP,
                    TASK_MANAGER_CUT_OFF,
                    SERVER_CUT_OFF ->
                    true;
            case CHECKPOINT_FAILURE, CHECKPOINT_TIMEOUT -> phase.inCheckpoint();
            // Flink refuses to stop a job whose tasks begin or have ended.
            case SAVEPOINT_RESUME, RESCALE_WORKERS, RESCALE_SERVERS ->
                    phase == Phase.TRAINING || phase.inCheckpoint();
            case DISK_FULL -> phase == Phase.FREEZING || phase == Phase.WRITING;
        };
    }
}
