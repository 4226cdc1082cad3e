package io.github.flinkps.testing;

import io.github.flinkps.transport.Loop;

/** A loop of the test's own thread, whose time stands still and on which nothing is run. */
public class TestingLoop implements Loop {
    @Override
    public boolean inLoop() {
        return true;
    }

    @Override
    public void execute(Runnable command) {}

    @Override
    public Runnable schedule(Runnable command, long delayNanos) {
        return () -> {};
    }

    @Override
    public long nanoTime() {
        return 0;
    }
}
