package io.github.flinkps.flink.testing;

import io.github.flinkps.flink.internal.compat.OperatorContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.util.OutputTag;
import org.apache.flink.util.function.ThrowingRunnable;

/** A mailbox and a clock in the hands of a test; the test's thread is the task's. */
public final class TestingOperatorContext<O> implements OperatorContext<O> {
    private static final long BOUND_SECONDS = 20;

    public final List<O> emitted = new ArrayList<>();
    public final List<Object> side = new ArrayList<>();
    public final Map<String, Long> counts = new HashMap<>();

    /** The counters of the operator, by name. */
    public final Map<String, Counter> counters = new HashMap<>();

    /** Timestamps of records and watermarks, in the order they were emitted. */
    public final List<Long> times = new ArrayList<>();

    public final List<Boolean> idleness = new ArrayList<>();

    /** The timestamp of the record at hand. */
    public long timestamp = NO_TIMESTAMP;

    public int yields;
    private final LinkedBlockingQueue<ThrowingRunnable<? extends Exception>> mails =
            new LinkedBlockingQueue<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private final int subtask;
    private final int parallelism;
    private long now;
    private long timersMade;

    private record Timer(long at, long number, ThrowingRunnable<? extends Exception> mail)
            implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    public TestingOperatorContext(int subtask, int parallelism) {
        this.subtask = subtask;
        this.parallelism = parallelism;
    }

    /** Runs mails until the condition holds. */
    public void runUntil(BooleanSupplier condition) throws Exception {
        while (!condition.getAsBoolean()) {
            runOne();
        }
    }

    private void runOne() throws Exception {
        ThrowingRunnable<? extends Exception> mail = mails.poll(BOUND_SECONDS, TimeUnit.SECONDS);
        if (mail == null) {
            throw new TimeoutException("no mail in " + BOUND_SECONDS + " s");
        }
        mail.run();
    }

    /** Runs the mails that are there. */
    public void runAll() throws Exception {
        ThrowingRunnable<? extends Exception> mail;
        while ((mail = mails.poll()) != null) {
            mail.run();
        }
    }

    /** Moves the clock and runs the timers that are due. */
    public void advance(long millis) throws Exception {
        long until = now + millis;
        while (!timers.isEmpty() && timers.peek().at <= until) {
            Timer due = timers.poll();
            now = Math.max(now, due.at);
            due.mail.run();
        }
        now = until;
    }

    @Override
    public String jobId() {
        return "job";
    }

    @Override
    public int subtask() {
        return subtask;
    }

    @Override
    public int parallelism() {
        return parallelism;
    }

    @Override
    public MetricGroup metrics() {
        return new UnregisteredMetricsGroup() {
            @Override
            public Counter counter(String name) {
                return counters.computeIfAbsent(name, each -> new SimpleCounter());
            }
        };
    }

    @Override
    public void count(String accumulator, long more) {
        counts.merge(accumulator, more, Long::sum);
    }

    @Override
    public Path temporaryFolder() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    @Override
    public Configuration taskManager() {
        return new Configuration();
    }

    @Override
    public long timestamp() {
        return timestamp;
    }

    @Override
    public void emit(O record, long recordTimestamp) {
        emitted.add(record);
        times.add(recordTimestamp);
    }

    @Override
    public void emitWatermark(long mark) {
        times.add(mark);
    }

    @Override
    public void emitIdleness(boolean idle) {
        idleness.add(idle);
    }

    @Override
    public <X> void emit(OutputTag<X> tag, X record) {
        side.add(record);
    }

    @Override
    public void execute(ThrowingRunnable<? extends Exception> mail, String description) {
        mails.add(mail);
    }

    @Override
    public void executeLater(long millis, ThrowingRunnable<? extends Exception> mail) {
        timers.add(new Timer(now + millis, timersMade++, mail));
    }

    @Override
    public long processingTime() {
        return now;
    }

    @Override
    public void yieldToMailbox() throws Exception {
        yields++;
        runOne();
    }
}
