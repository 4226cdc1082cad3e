package io.github.flinkps.harness.oracle;

import io.github.flinkps.cli.run.CommandException;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A child with the class path of this process, its output in a file. Ends with {@link #close}, and
 * by itself when its standard input does, or by the watchdog if it is stopped then, so that none
 * outlives this process. One thread.
 */
final class OracleProcess implements AutoCloseable {
    private static final Duration SIGNAL_LIMIT = Duration.ofSeconds(10);
    private static final long POLL_MILLIS = 10;

    private final Process process;
    private final OracleNetwork.Host host;
    private final Path log;

    private OracleProcess(Process process, OracleNetwork.Host host, Path log) {
        this.process = process;
        this.host = host;
        this.log = log;
    }

    /**
     * @param watchdog that ends it with this process
     * @param host on which it runs
     * @param main its main class, in dots
     * @param memoryMegabytes of its heap
     * @param log of its output
     */
    static OracleProcess start(
            OracleWatchdog watchdog,
            OracleNetwork.Host host,
            String main,
            int memoryMegabytes,
            Path log,
            List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(host.command());
        command.add(System.getProperty("java.home") + File.separator + "bin/java");
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--add-"))
                .forEach(command::add);
        command.add("-Xmx" + memoryMegabytes + "m");
        // Who is killed leaves its temporary files.
        command.add("-Djava.io.tmpdir=" + log.toAbsolutePath().getParent());
        // Children are many and live for a minute.
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-Dflink-ps.log=info", "-Dflink-ps.log.flink=info"));
        command.add("-Dflink-ps.log.exceptions=%xEx");
        command.add("-Dlog4j2.configurationFile=classpath:log4j2.xml");
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
        command.addAll(arguments);
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        watchdog.watch(process);
        return new OracleProcess(process, host, log);
    }

    /** Ends this process, a child, when its standard input ends. */
    static void endWithParent() {
        Thread parent = new Thread(OracleProcess::awaitParent, "oracle-parent");
        parent.setDaemon(true);
        parent.start();
    }

    private static void awaitParent() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is said; only the end matters.
            }
        } catch (IOException e) {
            // It is gone too.
        }
        Runtime.getRuntime().halt(1);
    }

    long pid() {
        return process.pid();
    }

    OracleNetwork.Host host() {
        return host;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Ends it by SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor(SIGNAL_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * @param name such as STOP
     */
    void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start();
        if (!kill.waitFor(SIGNAL_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                || kill.exitValue() != 0) {
            throw new IOException("kill -" + name + " failed");
        }
    }

    /** Waits for a line that begins so, and returns the rest of it. */
    String awaitLine(String begin, Duration limit) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (true) {
            Optional<String> line = lineWith(begin);
            if (line.isPresent()) {
                return line.get();
            }
            if (!process.isAlive() || System.nanoTime() > deadline) {
                throw new CommandException("a process did not start; its output: " + log);
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private Optional<String> lineWith(String begin) throws IOException {
        String text = Files.readString(log, StandardCharsets.UTF_8);
        int end = text.lastIndexOf('\n');
        return text.substring(0, Math.max(0, end))
                .lines()
                .filter(line -> line.startsWith(begin))
                .map(line -> line.substring(begin.length()))
                .findFirst();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
