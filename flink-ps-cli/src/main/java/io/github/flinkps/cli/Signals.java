package io.github.flinkps.cli;

import io.github.flinkps.cli.run.CommandException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Waits for SIGTERM or SIGINT, in the place of the JVM's own handling, which ends the process with
 * 143 also where it was asked to end and did. Where a JVM has no such signals it ends as usual.
 */
final class Signals implements AutoCloseable {
    private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();

    private Signals() {}

    static Signals listen() {
        Signals signals = new Signals();
        signals.on("TERM", ExitCodes.OK);
        signals.on("INT", ExitCodes.INTERRUPTED);
        return signals;
    }

    /**
     * Handles a signal, by reflection: the type is in jdk.unsupported, whose use the compiler
     * always warns of.
     */
    private void on(String name, int code) {
        try {
            Class<?> type = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object proxy =
                    Proxy.newProxyInstance(
                            Signals.class.getClassLoader(),
                            new Class<?>[] {handler},
                            (self, method, arguments) -> answer(self, method, arguments, code));
            Object signal = type.getConstructor(String.class).newInstance(name);
            type.getMethod("handle", type, handler).invoke(null, signal, proxy);
        } catch (InvocationTargetException | ClassNotFoundException e) {
            return; // the JVM keeps the signal for itself, or has none
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("sun.misc.Signal is not what it was", e);
        }
    }

    private Object answer(Object self, Method method, Object[] arguments, int code) {
        return switch (method.getName()) {
            case "handle" -> {
                exitCode.complete(code);
                yield null;
            }
            case "equals" -> self == arguments[0];
            case "hashCode" -> System.identityHashCode(self);
            default -> "a signal's handler";
        };
    }

    /** Ends the wait: the server cannot go on. Any thread. */
    void fail(OutOfMemoryError exhausted) {
        exitCode.completeExceptionally(exhausted);
    }

    /**
     * Waits without limit until a signal comes, and returns the exit code that answers it.
     *
     * @throws CommandException if the server cannot go on
     */
    int await() throws InterruptedException {
        try {
            return exitCode.get();
        } catch (ExecutionException e) {
            throw new CommandException(
                    "the server ends, as its heap is exhausted and a request could not be"
                            + " answered: "
                            + e.getCause().getMessage()
                            + " (set FLINK_PS_JAVA_OPTS=-Xmx..)",
                    e.getCause());
        }
    }

    @Override
    public void close() {
        exitCode.complete(ExitCodes.OK);
    }
}
