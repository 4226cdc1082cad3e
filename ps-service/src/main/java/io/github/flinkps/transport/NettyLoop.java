package io.github.flinkps.transport;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** A Netty event loop as a {@link Loop}. */
final class NettyLoop implements Loop {
    private final EventLoop eventLoop;
    private final HeapFailure heap;

    NettyLoop(EventLoop eventLoop, HeapFailure heap) {
        this.eventLoop = eventLoop;
        this.heap = heap;
    }

    EventLoop eventLoop() {
        return eventLoop;
    }

    @Override
    public boolean inLoop() {
        return eventLoop.inEventLoop();
    }

    @Override
    public void execute(Runnable command) {
        eventLoop.execute(() -> heap.run(command));
    }

    @Override
    public void report(Throwable problem) {
        heap.check(problem);
    }

    @Override
    public Runnable schedule(Runnable command, long delayNanos) {
        ScheduledFuture<?> timer =
                eventLoop.schedule(() -> heap.run(command), delayNanos, TimeUnit.NANOSECONDS);
        return () -> timer.cancel(false);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }
}
