package io.github.flinkps.harness.oracle;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.BooleanSupplier;

/**
 * The messages that the command and the processes of a run exchange, as files in a folder. The
 * command names a phase. The process that comes to it first says so, and waits there until the
 * command answers. Any thread of any process may call the methods.
 */
final class OracleHooks implements Serializable {
    /** The answers to a process that waits in a phase. */
    enum Answer {
        /** Tells the process to go on. */
        GO,
        /** Tells the process to fail. */
        FAIL
    }

    /**
     * The arrival of a process in a phase.
     *
     * @param strike its number
     * @param pid of the process
     */
    record Reached(int strike, long pid) {}

    private static final long serialVersionUID = 1L;
    private static final String ARMED = "armed";
    private static final String WORKER = "throw-in-worker";
    private static final String CHECKPOINT = "fail-checkpoint";
    private static final String DISK = "disk-is-full";
    private static final String DISK_SEEN = "disk-was-full";
    private static final String SOURCE = "source-may-end";
    private static final String ALL = "all-may-end";
    private static final String CHECKPOINTS = "checkpoints";
    private static final long POLL_MILLIS = 3;
    private static final long LIMIT_MILLIS = 60_000;

    private final String folder;

    OracleHooks(Path folder) {
        this.folder = folder.toString();
    }

    /** Makes what the folder must hold. */
    void create() throws IOException {
        Files.createDirectories(file(CHECKPOINTS));
    }

    private Path file(String name) {
        return Path.of(folder, name);
    }

    private boolean has(String name) {
        return Files.exists(file(name));
    }

    /** Writes a file in one step: a reader sees all of it, or what was there before. */
    private void write(String name, String text) throws IOException {
        Path temporary = Files.createTempFile(Path.of(folder), ".", "");
        Files.writeString(temporary, text);
        Files.move(temporary, file(name), StandardCopyOption.ATOMIC_MOVE);
    }

    // Of the command.

    /** Lets the next process that comes to a phase wait there. */
    void arm(int strike, Phase phase) throws IOException {
        write(ARMED, strike + " " + phase.name());
    }

    /** Lets nobody wait any more. */
    void disarm() throws IOException {
        Files.deleteIfExists(file(ARMED));
    }

    /** Returns which process came to the phase of a strike, or null if none has yet. */
    Reached reached(int strike) throws IOException {
        Path place = file("reached-" + strike);
        return Files.exists(place)
                ? new Reached(strike, Long.parseLong(Files.readString(place)))
                : null;
    }

    /** Tells who waits in a phase to go on. */
    void answer(int strike, Answer answer) throws IOException {
        write("answer-" + strike, answer.name());
    }

    /** Tells the next worker that looks to fail. */
    void failWorker() throws IOException {
        write(WORKER, "");
    }

    /** Returns whether no worker has failed yet of those that are to. */
    boolean workerFailureIsDue() {
        return has(WORKER);
    }

    /** Tells the next worker that writes its part of a checkpoint to fail. */
    void failCheckpoint() throws IOException {
        write(CHECKPOINT, "");
    }

    /** Lets writes fail from now on as on a full disk, or no longer. */
    void diskIsFull(boolean full) throws IOException {
        if (full) {
            write(DISK, "");
        } else {
            Files.deleteIfExists(file(DISK));
        }
    }

    /** Forgets that writing has failed for want of room. */
    void forgetFullDisk() throws IOException {
        Files.deleteIfExists(file(DISK_SEEN));
    }

    /** Returns whether something has failed for want of room. */
    boolean sawFullDisk() {
        return has(DISK_SEEN);
    }

    void sourceMayEnd() throws IOException {
        write(SOURCE, "");
    }

    void allMayEnd() throws IOException {
        sourceMayEnd();
        write(ALL, "");
    }

    // Of the processes.

    /** Returns whether somebody is to wait in a phase. */
    boolean isArmed(Phase phase) {
        try {
            return armed(phase) >= 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int armed(Phase phase) throws IOException {
        String text;
        try {
            text = Files.readString(file(ARMED));
        } catch (NoSuchFileException none) {
            return -1;
        }
        int space = text.indexOf(' ');
        int strike = Integer.parseInt(text.substring(0, space));
        boolean named = text.substring(space + 1).equals(phase.name());
        return named && !has("claimed-" + strike) ? strike : -1;
    }

    /**
     * Waits in a phase that the caller has come to, if that was asked for and nobody does yet.
     * Returns the answer; without a wait {@link Answer#GO}.
     *
     * @param sure whether it is still that phase, asked before it is told and until it is so; null:
     *     it is
     * @param waiting run while it waits, or null
     */
    Answer at(Phase phase, BooleanSupplier sure, Runnable waiting) throws IOException {
        int strike = armed(phase);
        if (strike < 0 || !claim("claimed-" + strike)) {
            return Answer.GO;
        }
        if (sure != null && !await(sure, 2_000, null)) {
            Files.deleteIfExists(file("claimed-" + strike));
            return Answer.GO;
        }
        write("reached-" + strike, Long.toString(ProcessHandle.current().pid()));
        Path answer = file("answer-" + strike);
        if (!await(() -> Files.exists(answer), LIMIT_MILLIS, waiting)) {
            throw new IOException("waited in vain in phase " + phase.text());
        }
        return Answer.valueOf(Files.readString(answer));
    }

    private static boolean await(BooleanSupplier condition, long millis, Runnable waiting)
            throws IOException {
        long deadline = System.nanoTime() + millis * 1_000_000;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            if (waiting != null) {
                waiting.run();
            }
            pause(POLL_MILLIS);
        }
        return true;
    }

    static void pause(long millis) throws InterruptedIOException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException ended =
                    new InterruptedIOException("the oracle's wait was ended");
            ended.initCause(e);
            throw ended;
        }
    }

    /** Returns whether the caller is the first. */
    private boolean claim(String name) throws IOException {
        try {
            Files.createFile(file(name));
            return true;
        } catch (FileAlreadyExistsException taken) {
            return false;
        }
    }

    private boolean take(String name) {
        try {
            return has(name) && Files.deleteIfExists(file(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Fails a worker if one is to fail. */
    void inWorker() {
        if (take(WORKER)) {
            throw new IllegalStateException("the oracle fails a worker");
        }
    }

    /** Fails a worker's part of a checkpoint if one is to fail. */
    void inCheckpoint() throws IOException {
        if (take(CHECKPOINT)) {
            throw new IOException("the oracle fails a checkpoint");
        }
    }

    /** Fails as a full disk does while there is one that stands in for it. */
    void onDisk() throws IOException {
        if (has(DISK)) {
            diskWasFull();
            throw new IOException(OracleStorage.FULL);
        }
    }

    /** Notes that something has failed for want of room. */
    void diskWasFull() throws IOException {
        write(DISK_SEEN, "");
    }

    boolean maySourceEnd() {
        return has(SOURCE);
    }

    boolean mayAllEnd() {
        return has(ALL);
    }

    /** Returns the name for notes of a subtask about a checkpoint of a job. */
    static String name(String job, String checkpoint, String kind, int subtask) {
        return job + "." + checkpoint + "." + kind + "." + subtask;
    }

    /** Notes bytes, in the place of earlier ones of that name. */
    void note(String name, byte[] bytes) throws IOException {
        Path temporary = Files.createTempFile(Path.of(folder), ".", "");
        Files.write(temporary, bytes);
        Files.move(temporary, noted(name), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Returns the file that notes what was read of a source that does not go back. */
    Path taken() {
        return file("taken");
    }

    /** Returns the file in which bytes of that name are noted. */
    Path noted(String name) {
        return file(CHECKPOINTS).resolve(name);
    }

    /** Returns the folder. */
    @Override
    public String toString() {
        return folder;
    }
}
