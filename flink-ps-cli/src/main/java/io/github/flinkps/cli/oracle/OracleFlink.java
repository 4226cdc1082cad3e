package io.github.flinkps.cli.oracle;

import java.io.IOException;
import org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint;
import org.apache.flink.runtime.taskexecutor.TaskManagerRunner;

/** The main class of Flink's processes, which end with their standard input. */
public final class OracleFlink {
    static final String JOB_MANAGER = "jobmanager";
    static final String TASK_MANAGER = "taskmanager";

    private OracleFlink() {}

    /**
     * @param args which one, and the folder of its configuration
     */
    public static void main(String[] args) throws Exception {
        Thread parent = new Thread(OracleFlink::endWithParent, "oracle-parent");
        parent.setDaemon(true);
        parent.start();
        String[] flink = {"--configDir", args[1]};
        if (args[0].equals(JOB_MANAGER)) {
            StandaloneSessionClusterEntrypoint.main(flink);
        } else {
            TaskManagerRunner.main(flink);
        }
    }

    private static void endWithParent() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is said; only the end matters.
            }
        } catch (IOException e) {
            // It is gone too.
        }
        Runtime.getRuntime().halt(1);
    }
}
