package io.github.flinkps.examples.cluster;

import io.github.flinkps.testing.Polling;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A process of a test, whose output goes to a file. It goes with {@link #close}, at the latest with
 * the JVM of the test, and so do its children.
 */
final class ChildProcess implements AutoCloseable {
    private static final Duration END_LIMIT = Duration.ofSeconds(20);
    private static final Set<ChildProcess> LIVE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> LIVE.forEach(ChildProcess::kill)));
    }

    private final String name;
    private final Process process;
    private final Path log;

    private ChildProcess(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
        LIVE.add(this);
    }

    /**
     * Starts a process.
     *
     * @param log takes standard output and error, in the place of what it held
     * @param environment beside that of this process
     */
    static ChildProcess start(
            String name,
            Path folder,
            Path log,
            Map<String, String> environment,
            List<String> command)
            throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        return new ChildProcess(name, builder.start(), log);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL, to it and to its children. */
    void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** The exit code. */
    int awaitExit(Duration limit) throws Exception {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError(
                    name + " does not end within " + limit.toSeconds() + " s:\n" + tail(40));
        }
        return process.exitValue();
    }

    /** Returns what the process has written so far. */
    String output() throws IOException {
        return new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
    }

    /** The first group of the first match in its output, awaited. */
    String await(Pattern pattern, Duration limit) throws Exception {
        String[] found = new String[1];
        Polling.await(
                limit,
                () -> {
                    boolean over = !isAlive(); // asked first: what it wrote last is read then
                    Matcher matcher = pattern.matcher(output());
                    if (matcher.find()) {
                        found[0] = matcher.group(1);
                    } else if (over) {
                        throw new AssertionError(name + " has ended:\n" + tail(40));
                    }
                    return found[0] != null;
                },
                () -> name + " has not written '" + pattern + "':\n" + tail(40));
        return found[0];
    }

    /** The last lines of its output, for messages. */
    String tail(int lines) {
        try {
            List<String> all = output().lines().toList();
            return all.stream()
                    .skip(Math.max(0, all.size() - lines))
                    .collect(Collectors.joining("\n"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    String name() {
        return name;
    }

    /** The most memory it has had so far, bytes; 0 where the system does not say. */
    long mostMemory() throws IOException {
        Path status = Path.of("/proc/" + process.pid() + "/status");
        if (!Files.exists(status)) {
            return 0;
        }
        String kilobytes =
                Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("VmHWM:"))
                        .map(line -> line.replaceAll("\\D", ""))
                        .findFirst()
                        .orElse("0");
        return Long.parseLong(kilobytes) << 10;
    }

    /** Returns the addresses at which it listens by TCP, as {@link ListeningSockets} reads them. */
    Set<String> listening() throws IOException {
        return ListeningSockets.of(process.pid());
    }

    /** SIGTERM, and SIGKILL where that does not help. */
    @Override
    public void close() throws InterruptedException {
        process.destroy();
        boolean ended = process.waitFor(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        kill();
        process.waitFor(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        LIVE.remove(this);
        if (!ended) {
            throw new AssertionError(name + " did not end when told to:\n" + tail(20));
        }
    }
}
