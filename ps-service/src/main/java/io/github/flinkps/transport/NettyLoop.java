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
        eventLoop.execute(() -> run(command));
    }

    /** Runs a command; whoever waits for what it would have done is told by nobody if it fails. */
    private void run(Runnable command) {
        try {
            command.run();
        } catch (Error e) {
            report(e);
            throw e;
        }
    }

    @Override
    public void report(Throwable problem) {
        heap.check(problem);
    }

    @Override
    public Runnable schedule(Runnable command, long delayNanos) {
        ScheduledFuture<?> timer =
                eventLoop.schedule(() -> run(command), delayNanos, TimeUnit.NANOSECONDS);
        return () -> timer.cancel(false);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }
}
