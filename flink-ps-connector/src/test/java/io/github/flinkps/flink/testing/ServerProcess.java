package io.github.flinkps.flink.testing;

import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A parameter server in a process of its own, which can be stopped and killed. */
public final class ServerProcess implements AutoCloseable {
    private static final long LIMIT_SECONDS = 60;

    private final Process process;
    private final String address;

    private ServerProcess(Process process, String address) {
        this.process = process;
        this.address = address;
    }

    /**
     * Starts a server that keeps cuts.
     *
     * @param port 0 for any
     */
    public static ServerProcess start(int port) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--add-"))
                .forEach(command::add);
        command.addAll(
                List.of(
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName(),
                        Integer.toString(port)));
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        BufferedReader out =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = out.readLine();
        if (line == null) {
            process.destroyForcibly();
            throw new IOException("the server has ended");
        }
        return new ServerProcess(process, line);
    }

    /** {@code host:port}. */
    public String address() {
        return address;
    }

    public int port() {
        return Integer.parseInt(address.substring(address.indexOf(':') + 1));
    }

    /** Sends a signal by its name. */
    public void signal(String name) throws IOException, InterruptedException {
        Process teller =
                new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        if (!teller.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || teller.exitValue() != 0) {
            throw new IOException("kill -" + name + " failed");
        }
    }

    /** Kills it, and waits until it is gone. */
    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    /** The program of the process: it prints its address and serves until it is killed. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws InterruptedException {
            ServerConfig config = ServerConfig.defaults().withPort(Integer.parseInt(arguments[0]));
            try (ParameterServer server = ParameterServer.start(config, new LocalModelStorage())) {
                System.out.println(server.address());
                Thread.currentThread().join();
            }
        }
    }
}
