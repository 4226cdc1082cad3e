package io.github.flinkps.cli.job;

import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.cli.run.Failures;
import io.github.flinkps.cli.run.RunScope;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;

/**
 * A job that has been started; cancelled when the process is told to end, and by {@link #close}
 * unless it is over. Used by the main thread.
 */
final class RunningJob implements AutoCloseable {
    private static final Duration CANCEL_LIMIT = Duration.ofSeconds(10);

    private final JobClient client;
    private final AutoCloseable registration;
    private boolean over;

    private RunningJob(JobClient client, RunScope scope) {
        this.client = client;
        this.registration = scope.whileRunning(this::cancel);
    }

    static RunningJob start(StreamExecutionEnvironment environment, String name, RunScope scope)
            throws Exception {
        try {
            return new RunningJob(environment.executeAsync(name), scope);
        } catch (Exception e) {
            IOException cause = Failures.storage(e);
            if (cause == null) {
                throw e;
            }
            throw new CommandException(
                    "Flink cannot write its files to a temporary folder in "
                            + System.getProperty("java.io.tmpdir")
                            + ": "
                            + Failures.reason(cause)
                            + " (FLINK_PS_JAVA_OPTS=-Djava.io.tmpdir=.. names another place)",
                    e);
        }
    }

    /**
     * Hands all results of a stream to {@code consumer}, as they come.
     *
     * @throws Exception why the job failed
     */
    <T> void consume(CloseableIterator<T> results, Consumer<T> consumer) throws Exception {
        while (hasNext(results)) {
            consumer.accept(results.next());
        }
    }

    private boolean hasNext(CloseableIterator<?> results) throws Exception {
        try {
            return results.hasNext();
        } catch (RuntimeException e) {
            await(); // throws what has failed the job
            throw e;
        }
    }

    /**
     * Waits for the job's end.
     *
     * @throws Exception why the job failed
     */
    JobExecutionResult await() throws Exception {
        try {
            JobExecutionResult result = client.getJobExecutionResult().get();
            over = true;
            return result;
        } catch (ExecutionException e) {
            over = true;
            throw e;
        }
    }

    private void cancel(Duration limit) throws Exception {
        try {
            client.cancel().get(limit.toMillis(), TimeUnit.MILLISECONDS);
            client.getJobExecutionResult().get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException cancelled) {
            over = true; // the result of a cancelled job is an exception
        }
    }

    @Override
    public void close() throws Exception {
        registration.close();
        if (!over) {
            try {
                cancel(CANCEL_LIMIT);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CommandException("interrupted", e);
            }
        }
    }
}
