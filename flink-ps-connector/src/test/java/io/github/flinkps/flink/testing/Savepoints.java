package io.github.flinkps.flink.testing;

import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.CheckpointException;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.ExceptionUtils;

/** Stops jobs with a savepoint, and lets others go on from one. */
public final class Savepoints {
    private static final long PATIENCE_SECONDS = 60;

    private Savepoints() {}

    /**
     * Lets the jobs of an environment go on from a savepoint, but for the sinks that collect what
     * they emit, whose uids Flink 2 makes anew each time.
     */
    public static void goOnFrom(String savepoint, StreamExecutionEnvironment env) {
        Configuration from = new Configuration();
        from.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
        from.set(StateRecoveryOptions.SAVEPOINT_IGNORE_UNCLAIMED_STATE, true);
        env.configure(from);
    }

    /**
     * Stops a job, asking again while Flink declines the savepoint and the job goes on: at the
     * moment a source ends, or while the job restarts.
     *
     * @return the savepoint
     */
    public static String stop(JobClient job, boolean drain, Path folder) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (true) {
            try {
                return job.stopWithSavepoint(
                                drain, folder.toString(), SavepointFormatType.CANONICAL)
                        .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                boolean declined =
                        ExceptionUtils.findSerializedThrowable(
                                        e,
                                        CheckpointException.class,
                                        Savepoints.class.getClassLoader())
                                .isPresent();
                if (!declined || System.nanoTime() - deadline > 0) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
    }
}
