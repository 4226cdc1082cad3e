package io.github.flinkps.cli.run;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Undoes what a running command must not leave behind: what still runs is stopped, temporary files
 * are removed. This happens whether the command ends by itself ({@link #close}) or by ctrl-C or a
 * signal. A signal runs a shutdown hook, while the JVM keeps the signal's exit code. Bounded in
 * time by {@link #STOP_LIMIT}. Used by the main thread and the hook.
 */
public final class RunScope implements AutoCloseable {
    /** The longest time that all stopping may take together. */
    static final Duration STOP_LIMIT = Duration.ofSeconds(15);

    private static final Duration EMPTY_LIMIT = Duration.ofSeconds(5);
    private static final long EMPTY_POLL_MILLIS = 5;

    private static final Logger LOG = LoggerFactory.getLogger(RunScope.class);

    private final Deque<Action> running = new ArrayDeque<>();
    private final List<Path> temporary = new ArrayList<>();
    private final List<Path> work = new ArrayList<>();
    private final Thread hook = new Thread(this::interrupted, "flink-ps-interrupted");
    private boolean interrupted;
    private boolean closed;

    /** Something that stops work, within the time given. */
    public interface Action {
        void stop(Duration limit) throws Exception;
    }

    public RunScope() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /**
     * Registers what stops work that is running.
     *
     * @return takes it back, once the work is over
     */
    public synchronized AutoCloseable whileRunning(Action action) {
        checkInterrupted();
        running.push(action);
        return () -> forget(action);
    }

    private synchronized void forget(Action action) {
        running.remove(action);
    }

    /** Returns a new folder that goes with this scope, where temporary files belong. */
    public synchronized Path temporaryFolder(String prefix) throws IOException {
        checkInterrupted();
        Path parent = Path.of(System.getProperty("java.io.tmpdir"));
        StaleFolders.sweepNamed(parent, prefix);
        Path folder = StaleFolders.create(parent, prefix);
        temporary.add(folder);
        return folder;
    }

    /**
     * Returns a new folder that goes with this scope, and is emptied before by what works in it and
     * ends without being waited for, which the scope does for a while.
     */
    public synchronized Path workFolder(String prefix) throws IOException {
        Path folder = temporaryFolder(prefix);
        work.add(folder);
        return folder;
    }

    /** Returns a new hidden folder beside {@code target} that goes with this scope. */
    public synchronized Path temporaryFolderBeside(Path target) throws IOException {
        checkInterrupted();
        String prefix = "." + target.getFileName() + ".tmp-";
        StaleFolders.sweep(target.getParent(), prefix);
        Path folder = StaleFolders.create(target.getParent(), prefix);
        temporary.add(folder);
        return folder;
    }

    /** Returns a hidden folder in a folder that is there; goes with this scope. */
    public synchronized Path temporaryFolderIn(Path target) throws IOException {
        checkInterrupted();
        StaleFolders.sweep(target, ".tmp-");
        Path folder = StaleFolders.create(target, ".tmp-");
        temporary.add(folder);
        return folder;
    }

    /** Returns a file, yet to be created, that goes with this scope if it is still there. */
    public synchronized Path temporaryFile(Path file) {
        checkInterrupted();
        temporary.add(file);
        return file;
    }

    /** Something that must not happen once a signal has been received, nor half. */
    public interface Step {
        void run() throws IOException;
    }

    /** Runs the step unless a signal came before; a signal waits until it is over. */
    public synchronized void commit(Step step) throws IOException {
        checkInterrupted();
        step.run();
    }

    /** Returns whether a signal has come. */
    public synchronized boolean isInterrupted() {
        return interrupted;
    }

    private void checkInterrupted() {
        if (interrupted) {
            throw new CommandException("interrupted");
        }
    }

    private void interrupted() {
        List<Action> actions;
        synchronized (this) {
            interrupted = true;
            actions = List.copyOf(running);
        }
        stopAll(actions);
        removeTemporary();
    }

    private static void stopAll(List<Action> actions) {
        CountDownLatch stopped = new CountDownLatch(1);
        Thread stopper =
                new Thread(
                        () -> {
                            actions.forEach(RunScope::stop);
                            stopped.countDown();
                        },
                        "flink-ps-stop");
        stopper.setDaemon(true);
        stopper.start();
        try {
            if (!stopped.await(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("Not everything stopped within {} s", STOP_LIMIT.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void stop(Action action) {
        try {
            action.stop(STOP_LIMIT.dividedBy(2));
        } catch (Exception e) {
            LOG.debug("Stopping failed", e);
        }
    }

    private void awaitEnd() {
        try {
            hook.join(2 * STOP_LIMIT.toMillis());
            Thread.sleep(STOP_LIMIT.toMillis()); // other hooks; the process ends within
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void removeTemporary() {
        awaitEmpty();
        for (Path path : temporary) {
            try {
                delete(path);
            } catch (IOException e) {
                LOG.warn("Cannot remove {}: {}", path, Failures.reason(e));
            }
        }
        temporary.clear();
    }

    private void awaitEmpty() {
        long deadline = System.nanoTime() + EMPTY_LIMIT.toNanos();
        try {
            for (Path folder : work) {
                while (!isEmpty(folder) && System.nanoTime() < deadline) {
                    Thread.sleep(EMPTY_POLL_MILLIS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        work.clear();
    }

    private static boolean isEmpty(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.findAny().isEmpty();
        } catch (IOException e) {
            return true; // gone
        }
    }

    /** Removes a file, or a folder with all in it; an absent one is fine. */
    static void delete(Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(
                path,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.deleteIfExists(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException failure) {
                        return FileVisitResult.CONTINUE; // gone meanwhile
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(Path folder, IOException failure)
                            throws IOException {
                        Files.deleteIfExists(folder);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    /**
     * Ends the scope. Once a signal has come the hook does that, and this waits for the end of the
     * process: what failed meanwhile failed because of the signal and is not worth a message.
     */
    @Override
    public void close() {
        boolean ending;
        List<Action> actions;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            ending = interrupted;
            actions = List.copyOf(running);
        }
        if (ending) {
            awaitEnd();
            return;
        }
        if (!actions.isEmpty()) {
            stopAll(actions);
        }
        removeTemporary();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            LOG.debug("The process is ending already", e);
        }
    }
}
