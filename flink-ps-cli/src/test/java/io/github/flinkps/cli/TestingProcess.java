package io.github.flinkps.cli;

import io.github.flinkps.testing.Polling;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The command line, or another program, as a process of its own. All waits are bounded. */
public final class TestingProcess implements AutoCloseable {
    private static final long LIMIT_SECONDS = 120;

    private final Process process;
    private final List<String> out = new ArrayList<>();
    private final List<String> err = new ArrayList<>();
    private final Thread outReader;
    private final Thread errReader;

    private TestingProcess(Process process) {
        this.process = process;
        this.outReader = reader(process.getInputStream(), out);
        this.errReader = reader(process.getErrorStream(), err);
    }

    public static TestingProcess start(String... arguments) throws IOException {
        return start(List.of(), entry -> true, arguments);
    }

    /**
     * Starts a process.
     *
     * @param options of the JVM
     * @param classPath which entries of the test's class path it gets
     */
    public static TestingProcess start(
            List<String> options, Predicate<String> classPath, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(command(options, classPath, Main.class));
        command.addAll(List.of(arguments));
        return new TestingProcess(new ProcessBuilder(command).start());
    }

    /** Starts a process with more variables in its environment. */
    public static TestingProcess start(Map<String, String> environment, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(command(List.of(), entry -> true, Main.class));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        return new TestingProcess(builder.start());
    }

    /** Starts a program of the tests. */
    public static TestingProcess startMain(Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(command(List.of(), entry -> true, main));
        command.addAll(List.of(arguments));
        return new TestingProcess(new ProcessBuilder(command).start());
    }

    private static List<String> command(
            List<String> options, Predicate<String> classPath, Class<?> main) {
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(Path.of("/usr/bin/env"))) {
            // a shell may have told its children to ignore ctrl-C
            command.addAll(List.of("/usr/bin/env", "--default-signal=INT"));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--add-"))
                .forEach(command::add);
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-Dlog4j2.configurationFile=classpath:log4j2.xml");
        command.addAll(options);
        command.add("-cp");
        command.add(
                Stream.of(System.getProperty("java.class.path").split(":"))
                        .filter(classPath)
                        .collect(Collectors.joining(":")));
        command.add(main.getName());
        return command;
    }

    private static Thread reader(InputStream in, List<String> lines) {
        Thread thread =
                new Thread(
                        () -> {
                            try (BufferedReader reader =
                                    new BufferedReader(
                                            new InputStreamReader(in, StandardCharsets.UTF_8))) {
                                reader.lines().forEach(line -> add(lines, line));
                            } catch (IOException | java.io.UncheckedIOException e) {
                                add(lines, "(" + e.getMessage() + ")");
                            }
                        },
                        "test-process-output");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void add(List<String> lines, String line) {
        synchronized (lines) {
            lines.add(line);
            lines.notifyAll();
        }
    }

    /** Waits for a line of standard output that begins so, and returns the rest of it. */
    public String awaitLine(String begin) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        synchronized (out) {
            int seen = 0;
            while (true) {
                for (; seen < out.size(); seen++) {
                    if (out.get(seen).startsWith(begin)) {
                        return out.get(seen).substring(begin.length());
                    }
                }
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (left <= 0 || !process.isAlive() && !outReader.isAlive()) {
                    throw new AssertionError("no line '" + begin + "' in " + out + " " + err());
                }
                out.wait(Math.min(left, 100));
            }
        }
    }

    /** Sends a signal by its name. */
    public void signal(String name) throws Exception {
        tell("kill", "-" + name, Long.toString(process.pid()));
        if (name.equals("STOP")) {
            Polling.await("it runs on", this::isStopped);
        }
    }

    /**
     * Returns whether no thread of the process runs any more: the signal may still be on its way.
     */
    private boolean isStopped() throws IOException {
        Path tasks = Path.of("/proc", Long.toString(process.pid()), "task");
        try (Stream<Path> threads = Files.list(tasks)) {
            for (Path thread : (Iterable<Path>) threads::iterator) {
                String stat = Files.readString(thread.resolve("stat"));
                if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
        } catch (NoSuchFileException ended) {
            return false; // a thread, while they were looked at
        }
        return true;
    }

    /** Limits the bytes of each file that the process writes from now on. */
    void limitFileSize(long bytes) throws IOException, InterruptedException {
        tell("prlimit", "--pid", Long.toString(process.pid()), "--fsize=" + bytes);
    }

    private static void tell(String... command) throws IOException, InterruptedException {
        Process teller = new ProcessBuilder(command).start();
        if (!teller.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || teller.exitValue() != 0) {
            throw new AssertionError(String.join(" ", command) + " failed");
        }
    }

    /** Waits for the end and returns the exit code. */
    public int awaitExit() throws InterruptedException {
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the process does not end; out " + out() + ", err " + err());
        }
        outReader.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
        errReader.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
        return process.exitValue();
    }

    public List<String> out() {
        synchronized (out) {
            return List.copyOf(out);
        }
    }

    public List<String> err() {
        synchronized (err) {
            return List.copyOf(err);
        }
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
}
