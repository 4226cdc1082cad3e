package io.github.flinkps.harness.oracle;

import org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint;
import org.apache.flink.runtime.taskexecutor.TaskManagerRunner;

/** The main class of Flink's processes, which end with their standard input. */
public final class OracleFlink {
    static final String JOB_MANAGER = "jobmanager";
    static final String TASK_MANAGER = "taskmanager";

    private OracleFlink() {}

    /**
     * @param args which one, the folder of its configuration, and for a TaskManager its name and
     *     its address
     */
    public static void main(String[] args) throws Exception {
        OracleProcess.endWithParent();
        if (args[0].equals(JOB_MANAGER)) {
            StandaloneSessionClusterEntrypoint.main(new String[] {"--configDir", args[1]});
        } else {
            TaskManagerRunner.main(
                    new String[] {
                        "--configDir",
                        args[1],
                        "-Dtaskmanager.resource-id=" + args[2],
                        "-Dtaskmanager.host=" + args[3],
                        "-Dtaskmanager.bind-host=" + args[3]
                    });
        }
    }
}
