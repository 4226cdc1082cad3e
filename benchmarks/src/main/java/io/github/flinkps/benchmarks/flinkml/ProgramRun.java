package io.github.flinkps.benchmarks.flinkml;

import io.github.flinkps.benchmarks.peers.Predictions;
import io.github.flinkps.benchmarks.peers.ProcessCost;
import io.github.flinkps.flink.metrics.BinaryMetrics;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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
        ProcessCost cost =
                ProcessCost.of(
                        program.title(workload),
                        command(program, workload, folder, subtasks, javaOptions),
                        log);
        BinaryMetrics metrics = Predictions.read(folder.resolve("predictions"));
        return new ProgramRun(
                cost.seconds(),
                cost.cpuSeconds(),
                cost.peakBytes(),
                metrics.logloss(),
                metrics.auc());
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
}
