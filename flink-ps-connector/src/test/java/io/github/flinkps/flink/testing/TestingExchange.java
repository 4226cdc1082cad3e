package io.github.flinkps.flink.testing;

import io.github.flinkps.client.Exchange;
import io.github.flinkps.client.KeyList;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * An operation of a {@link TestingModelSession}; pushes are copied when added, as promised. What it
 * was asked for is in {@link TestingParameterService#sent}.
 */
final class TestingExchange implements Exchange {
    private final TestingModelSession session;
    private final TestingParameterService service;
    private final List<Runnable> pushes = new ArrayList<>();
    private final List<Runnable> pulls = new ArrayList<>();
    private final List<SentExchange.Push> pushed = new ArrayList<>();
    private final long timestamp;
    private boolean clock;
    private double clockWeight = -1;
    private int ahead;
    private long[] after = {};
    private Duration timeout;
    private boolean sent;

    /**
     * @param timestamp above those of the session's operations before it
     */
    TestingExchange(TestingModelSession session, long timestamp) {
        this.session = session;
        this.service = session.service;
        this.timestamp = timestamp;
    }

    @Override
    public Exchange push(KeyList keys, float[] gradients, double weight) {
        int width = service.describe(keys.table()).width();
        float[] copy = finite(gradients, keys.size() * width);
        pushed.add(new SentExchange.Push(keys.table(), keys.size(), checked(weight)));
        pushes.add(
                () -> {
                    for (int i = 0; i < keys.size(); i++) {
                        service.push(keys.table(), keys.key(i), copy, i * width, weight);
                    }
                });
        return this;
    }

    private static double checked(double weight) {
        if (!(weight >= 0) || weight == Double.POSITIVE_INFINITY) {
            throw new PsException(ErrorCode.INVALID_ARGUMENT, "weight " + weight);
        }
        return weight;
    }

    private static float[] finite(float[] gradients, int length) {
        float[] copy = new float[length];
        for (int i = 0; i < length; i++) {
            if (!Float.isFinite(gradients[i])) {
                throw new PsException(ErrorCode.NOT_FINITE, "gradient " + i);
            }
            copy[i] = gradients[i];
        }
        return copy;
    }

    @Override
    public Exchange pushRange(
            String table, long fromKey, long toKey, float[] gradients, double weight) {
        int width = service.describe(table).width();
        int rows = (int) (toKey - fromKey);
        float[] copy = finite(gradients, rows * width);
        pushed.add(new SentExchange.Push(table, rows, checked(weight)));
        pushes.add(
                () -> {
                    for (long key = fromKey; key < toKey; key++) {
                        int at = (int) (key - fromKey) * width;
                        service.push(table, key, copy, at, weight);
                    }
                });
        return this;
    }

    @Override
    public Exchange clock() {
        clock = true;
        return this;
    }

    @Override
    public Exchange pull(KeyList keys, float[] into) {
        int width = service.describe(keys.table()).width();
        pulls.add(
                () -> {
                    for (int i = 0; i < keys.size(); i++) {
                        service.pull(keys.table(), keys.key(i), into, i * width);
                    }
                });
        return this;
    }

    @Override
    public Exchange pullRange(String table, long fromKey, long toKey, float[] into) {
        int width = service.describe(table).width();
        pulls.add(
                () -> {
                    for (long key = fromKey; key < toKey; key++) {
                        service.pull(table, key, into, (int) (key - fromKey) * width);
                    }
                });
        return this;
    }

    @Override
    public Exchange clock(double weight) {
        clockWeight = checked(weight);
        return clock();
    }

    @Override
    public Exchange ahead(int batches) {
        ahead = batches;
        return this;
    }

    @Override
    public Exchange after(long... timestamps) {
        for (long before : timestamps) {
            if (before < 1 || before >= timestamp) {
                throw new IllegalArgumentException(before + " is no operation before " + timestamp);
            }
        }
        after = timestamps.clone();
        return this;
    }

    @Override
    public Exchange timeout(Duration newTimeout) {
        if (newTimeout.isNegative() || newTimeout.isZero()) {
            throw new IllegalArgumentException("timeout " + newTimeout);
        }
        timeout = newTimeout;
        return this;
    }

    @Override
    public long timestamp() {
        return timestamp;
    }

    @Override
    public CompletableFuture<Void> send() {
        if (sent) {
            throw new IllegalStateException("operation " + timestamp + " has been sent");
        }
        sent = true;
        int number = service.exchanges.incrementAndGet();
        session.client.requests.incrementAndGet();
        CompletableFuture<Void> answer = session.track(timestamp, new CompletableFuture<>());
        boolean worker = session.spec.worker() != SessionSpec.NO_WORKER;
        ConsistencySpec consistency = session.spec.consistency();
        if (ahead > consistency.prefetchLimit()) {
            throw new IllegalArgumentException("ahead " + ahead + " of " + consistency);
        }
        service.largestAhead.accumulateAndGet(ahead, Math::max);
        service.sent(asSent());
        if (clock) {
            session.clock++;
        }
        long now = session.clock;
        long needed =
                worker && consistency.kind() != ConsistencySpec.Kind.ASP && !pulls.isEmpty()
                        ? now + ahead - consistency.staleness()
                        : 0;
        boolean clocked = clock;
        Runnable work =
                () -> {
                    if (service.silent.test(number)) {
                        return;
                    }
                    if (service.broken.test(number)) {
                        answer.completeExceptionally(
                                new PsException(ErrorCode.DISCONNECTED, "server 0 is gone"));
                        return;
                    }
                    apply(clocked, now, needed, answer);
                };
        session.whenAnswered(after)
                .whenComplete(
                        (nothing, failure) -> {
                            if (failure == null) {
                                later(work, service.delayMillis);
                            } else {
                                answer.completeExceptionally(failure);
                            }
                        });
        if (timeout != null) {
            PsException late = new PsException(ErrorCode.TIMEOUT, "no answer in " + timeout);
            later(() -> answer.completeExceptionally(late), timeout.toMillis());
        }
        return answer;
    }

    private void later(Runnable work, long millis) {
        service.transport.schedule(work, millis, TimeUnit.MILLISECONDS);
    }

    private SentExchange asSent() {
        double most = pushed.stream().mapToDouble(SentExchange.Push::weight).max().orElse(0);
        return new SentExchange(
                session.spec.worker(),
                timestamp,
                List.copyOf(pushed),
                clock,
                clockWeight < 0 ? most : clockWeight,
                ahead,
                Arrays.stream(after).boxed().toList(),
                timeout);
    }

    private void apply(boolean clocked, long now, long needed, CompletableFuture<Void> answer) {
        if (service.isFenced(session.spec.fence())) {
            answer.completeExceptionally(new PsException(ErrorCode.FENCED, "fenced"));
            return;
        }
        if (!pushes.isEmpty()) {
            service.pushes.incrementAndGet();
        }
        if (clocked || !pushes.isEmpty()) {
            service.entry(
                    session.spec.worker(),
                    () -> {
                        pushes.forEach(Runnable::run);
                        if (clocked) {
                            service.clock(session.spec.worker(), now);
                        }
                    });
        }
        service.whenSlowest(
                needed,
                session,
                () -> {
                    pulls.forEach(Runnable::run);
                    answer.complete(null);
                });
    }
}
