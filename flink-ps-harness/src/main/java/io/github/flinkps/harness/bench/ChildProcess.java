package io.github.flinkps.harness.bench;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A child that serves on a port of loopback until it is closed. */
final class ChildProcess implements AutoCloseable {
    /** Names the address on which a child listens. */
    static final String HOST = "127.0.0.1";

    private static final long START_SECONDS = 120;
    private static final long STOP_SECONDS = 5;

    /** The options of bin/flink-ps that say how the JVM collects garbage. */
    static final List<String> SERVER_OPTIONS =
            List.of(
                    "-XX:+UseSerialGC",
                    "-Xmn8m",
                    "-XX:PretenureSizeThreshold=32k",
                    "-XX:TLABSize=32k",
                    "-XX:-ResizeTLAB");

    private final Process process;
    private final int port;

    private ChildProcess(Process process) {
        this.process = process;
        CompletableFuture<Integer> named = new CompletableFuture<>();
        Thread reader = new Thread(() -> read(named), "flink-ps-bench-child");
        reader.setDaemon(true);
        reader.start();
        try {
            this.port = named.get(START_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            close();
            throw new PsException(ErrorCode.IO, "a server process did not start", e);
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw new PsException(ErrorCode.CLOSED, "interrupted", e);
        }
    }

    private void read(CompletableFuture<Integer> named) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(BenchProcess.PORT)) {
                    named.complete(Integer.parseInt(line.substring(BenchProcess.PORT.length())));
                } else {
                    System.err.println(line);
                }
            }
        } catch (IOException e) {
            named.completeExceptionally(e);
        }
        named.completeExceptionally(new IOException("the process ended"));
    }

    /**
     * Returns a server with the options that bin/flink-ps gives one.
     *
     * @param memoryPercent of the machine that its heap may take
     * @param heapBytes its heap, all of it touched before it starts, so that it neither grows nor
     *     meets a machine without free memory later; 0: what the script gives it
     * @param settings options of 'flink-ps server', by key
     */
    static ChildProcess server(int memoryPercent, long heapBytes, Map<String, String> settings) {
        List<String> options = new ArrayList<>(SERVER_OPTIONS);
        if (heapBytes > 0) {
            options.addAll(List.of("-Xms" + heapBytes, "-Xmx" + heapBytes, "-XX:+AlwaysPreTouch"));
        } else {
            options.add("-XX:MaxRAMPercentage=" + memoryPercent);
        }
        options.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
        return start(options, arguments(List.of(BenchProcess.SERVER), settings));
    }

    /**
     * Returns the far end of the bare transfer, with a number of threads.
     *
     * @param keys options of a server, by key, that say how it encrypts; none: it does not
     */
    static ChildProcess bare(int threads, Map<String, String> keys) {
        return start(
                List.of("-XX:+UseSerialGC"),
                arguments(List.of(BenchProcess.BARE, String.valueOf(threads)), keys));
    }

    private static List<String> arguments(List<String> first, Map<String, String> settings) {
        List<String> arguments = new ArrayList<>(first);
        settings.forEach((key, value) -> arguments.add(key + "=" + value));
        return arguments;
    }

    private static ChildProcess start(List<String> options, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin/java");
        command.addAll(options);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(BenchProcess.class.getName());
        command.addAll(arguments);
        try {
            return new ChildProcess(
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start());
        } catch (IOException e) {
            throw new PsException(ErrorCode.IO, "cannot start a server process: " + e, e);
        }
    }

    int port() {
        return port;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (IOException e) {
            // It is ended below.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
    }
}
