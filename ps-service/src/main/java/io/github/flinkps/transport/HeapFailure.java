package io.github.flinkps.transport;

import io.netty.util.internal.OutOfDirectMemoryError;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Says that the heap is exhausted to its last bytes: a thread could not even answer with an error,
 * so that somebody would wait for what never comes. Keeps a part of the heap back until then, with
 * which the host can say so and end. Any thread.
 */
public final class HeapFailure {
    /** The beginnings of HotSpot's messages. */
    private static final List<String> OF_HEAP =
            List.of("Java heap space", "GC overhead limit exceeded");

    private final CompletableFuture<OutOfMemoryError> failure = new CompletableFuture<>();
    private volatile byte[] reserve;

    /**
     * @param reserveBytes of the heap that are kept back
     */
    public HeapFailure(int reserveBytes) {
        this.reserve = new byte[reserveBytes];
    }

    /** Returns what completes, on the thread that failed, when the heap is exhausted. */
    public CompletableFuture<OutOfMemoryError> future() {
        return failure;
    }

    /** Runs a command; whoever waits for what it would have done is told by nobody if it fails. */
    void run(Runnable command) {
        try {
            command.run();
        } catch (Error e) {
            check(e);
            throw e;
        }
    }

    /** Returns an executor that takes note of what commands of another one fail with. */
    public Executor watch(Executor executor) {
        return command -> executor.execute(() -> run(command));
    }

    /**
     * Takes what a thread failed with where it could tell nobody. Other problems change nothing.
     */
    void check(Throwable problem) {
        if (problem instanceof OutOfMemoryError exhausted
                && isOfHeap(exhausted)
                && reserve != null) {
            reserve = null;
            failure.complete(exhausted);
        }
    }

    /**
     * Takes note that the thread of a loop has ended, which only memory that runs out brings about.
     */
    void loopEnded() {
        reserve = null;
        failure.complete(new OutOfMemoryError("the thread of an event loop has ended"));
    }

    /** Returns false where the heap has room: direct memory comes back, threads are others'. */
    private static boolean isOfHeap(OutOfMemoryError error) {
        return !(error instanceof OutOfDirectMemoryError)
                && (error.getMessage() == null
                        || OF_HEAP.stream().anyMatch(error.getMessage()::startsWith));
    }
}
