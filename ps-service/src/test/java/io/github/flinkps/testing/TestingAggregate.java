package io.github.flinkps.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.aggregate.AggregateMerger;
import io.github.flinkps.common.aggregate.PartialAggregate;
import io.github.flinkps.server.aggregate.AggregateFunction;
import io.github.flinkps.server.aggregate.TableRows;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/**
 * A user's aggregate, both ends in one class, that waits at each partition for a permit; each test
 * begins with none.
 */
public final class TestingAggregate implements AggregateFunction, AggregateMerger {
    /** The name to ask for. */
    public static final String NAME = "testing";

    /** The permits by which owners go on, one for each partition. */
    public static final Semaphore PERMITS = new Semaphore(0);

    /** The partitions begun. */
    public static final AtomicInteger BEGUN = new AtomicInteger();

    /** Runs a test whose servers, started by it, and clients know the aggregate. */
    public static void with(Path folder, ThrowingCallable test) throws Exception {
        PERMITS.drainPermits();
        BEGUN.set(0);
        TestingServices.with(
                folder.resolve("function"),
                AggregateFunction.class,
                TestingAggregate.class,
                () ->
                        TestingServices.with(
                                folder.resolve("merger"),
                                AggregateMerger.class,
                                TestingAggregate.class,
                                () -> {
                                    try {
                                        test.call();
                                    } catch (Exception | Error e) {
                                        throw e;
                                    } catch (Throwable e) {
                                        throw new AssertionError(e);
                                    }
                                    return null;
                                }));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean readsRows() {
        return false;
    }

    @Override
    public Accumulator begin(
            TableRows rows, List<String> arguments, Function<String, TableRows> others) {
        BEGUN.incrementAndGet();
        try {
            assertThat(PERMITS.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new Accumulator() {
            @Override
            public void add(long[] keys, float[] values, int count) {
                throw new AssertionError("it reads no rows");
            }

            @Override
            public PartialAggregate result() {
                return PartialAggregate.of(1);
            }
        };
    }

    @Override
    public PartialAggregate merge(
            PartialAggregate left, PartialAggregate right, List<String> arguments) {
        return left;
    }
}
