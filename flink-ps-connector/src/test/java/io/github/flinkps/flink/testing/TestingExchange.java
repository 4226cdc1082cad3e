package io.github.flinkps.flink.testing;

import io.github.flinkps.client.Exchange;
import io.github.flinkps.client.KeyList;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** An operation of a {@link TestingModelSession}; pushes are copied when added, as promised. */
final class TestingExchange implements Exchange {
    private final TestingModelSession session;
    private final TestingParameterService service;
    private final List<Runnable> pushes = new ArrayList<>();
    private final List<Runnable> pulls = new ArrayList<>();
    private boolean clock;
    private int ahead;

    TestingExchange(TestingModelSession session) {
        this.session = session;
        this.service = session.service;
    }

    @Override
    public Exchange push(KeyList keys, float[] gradients, double weight) {
        int width = service.describe(keys.table()).width();
        float[] copy = finite(gradients, keys.size() * width);
        pushes.add(
                () -> {
                    for (int i = 0; i < keys.size(); i++) {
                        service.push(keys.table(), keys.key(i), copy, i * width, weight);
                    }
                });
        return this;
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
        float[] copy = finite(gradients, (int) (toKey - fromKey) * width);
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
        return clock();
    }

    @Override
    public Exchange ahead(int batches) {
        ahead = batches;
        return this;
    }

    @Override
    public Exchange after(long... timestamps) {
        return this;
    }

    @Override
    public Exchange timeout(Duration timeout) {
        return this;
    }

    @Override
    public long timestamp() {
        return 0;
    }

    @Override
    public CompletableFuture<Void> send() {
        int number = service.exchanges.incrementAndGet();
        session.client.requests.incrementAndGet();
        CompletableFuture<Void> answer = session.track(new CompletableFuture<>());
        boolean worker = session.spec.worker() != SessionSpec.NO_WORKER;
        ConsistencySpec consistency = session.spec.consistency();
        if (ahead > consistency.prefetchLimit()) {
            throw new IllegalArgumentException("ahead " + ahead + " of " + consistency);
        }
        service.largestAhead.accumulateAndGet(ahead, Math::max);
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
        service.transport.schedule(work, service.delayMillis, TimeUnit.MILLISECONDS);
        return answer;
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
