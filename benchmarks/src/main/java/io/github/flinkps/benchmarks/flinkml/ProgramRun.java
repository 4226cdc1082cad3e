package io.github.flinkps.benchmarks.flinkml;

import io.github.flinkps.flink.metrics.BinaryMetrics;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The costs and the quality of one run of a program.
 *
 * @param seconds from the start of its process to its end
 * @param cpuSeconds of all its threads
 * @param peakBytes most that was resident; NaN where the system does not say
 * @param logloss of the test rows
 * @param auc of the test rows
 */
record ProgramRun(double seconds, double cpuSeconds, double peakBytes, double logloss, double auc) {
    /** Stands for a program that failed. */
    static final ProgramRun NONE =
            new ProgramRun(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    private static final long LOOK_MILLIS = 20;
    private static final int LAST_LINES = 40;

    /**
     * Runs a program in a process of its own.
     *
     * @param program its main class
     * @param folder with the workload's rows
     * @throws IllegalStateException with the end of its output if it fails
     */
    static ProgramRun of(
            Contender program,
            ComparedWorkload workload,
            Path folder,
            int subtasks,
            List<String> javaOptions)
            throws IOException, InterruptedException {
        Path log = folder.resolve("log");
        Files.deleteIfExists(folder.resolve("predictions"));
        long start = System.nanoTime();
        Process process =
                new ProcessBuilder(command(program, workload, folder, subtasks, javaOptions))
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        double cpuSeconds = Double.NaN;
        double peakBytes = Double.NaN;
        try {
            do {
                Duration cpu = process.info().totalCpuDuration().orElse(null);
                double peak = peak(process.pid());
                cpuSeconds = cpu == null ? cpuSeconds : cpu.toMillis() / 1e3;
                peakBytes = Double.isNaN(peak) ? peakBytes : peak;
            } while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS));
        } finally {
            process.destroyForcibly();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        if (process.exitValue() != 0) {
            List<String> lines = Files.readAllLines(log);
            throw new IllegalStateException(
                    program.title(workload)
                            + " has failed: "
                            + String.join(
                                    "\n",
                                    lines.subList(
                                            Math.max(0, lines.size() - LAST_LINES), lines.size())));
        }
        BinaryMetrics metrics = metrics(folder.resolve("predictions"));
        return new ProgramRun(seconds, cpuSeconds, peakBytes, metrics.logloss(), metrics.auc());
    }

    private static List<String> command(
            Contender program,
            ComparedWorkload workload,
            Path folder,
            int subtasks,
            List<String> javaOptions) {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin/java");
        command.addAll(javaOptions);
        // What Flink needs of Java 17: the same as this process.
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("--add-"))
                .forEach(command::add);
        command.addAll(List.of("-cp", program.classPath(), program.main(), workload.name()));
        command.add(folder.toString());
        command.add(Integer.toString(subtasks));
        command.add(Integer.toString(workload.features()));
        command.add(Integer.toString(workload.batch()));
        return command;
    }

    private static double peak(long pid) throws IOException {
        Path status = Path.of("/proc/" + pid + "/status");
        try {
            return Files.readAllLines(status).stream()
                    .filter(line -> line.startsWith("VmHWM:"))
                    .mapToDouble(line -> 1024 * Double.parseDouble(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(Double.NaN);
        } catch (IOException gone) {
            return Double.NaN;
        }
    }

    private static BinaryMetrics metrics(Path predictions) throws IOException {
        BinaryMetrics metrics = new BinaryMetrics();
        for (String line : Files.readAllLines(predictions)) {
            int space = line.indexOf(' ');
            metrics.add(
                    Float.parseFloat(line.substring(0, space)),
                    Float.parseFloat(line.substring(space + 1)),
                    1);
        }
        return metrics;
    }
}
