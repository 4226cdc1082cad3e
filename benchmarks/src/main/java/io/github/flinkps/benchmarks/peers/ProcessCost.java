package io.github.flinkps.benchmarks.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The costs of one run of a program, in a process of its own and those that it starts.
 *
 * @param seconds from the start of the process to its end
 * @param cpuSeconds of all threads, as last seen
 * @param peakBytes most that was resident, summed over processes; NaN where the system does not say
 */
public record ProcessCost(double seconds, double cpuSeconds, double peakBytes) {
    private static final long LOOK_MILLIS = 20;
    private static final int LAST_LINES = 40;

    /**
     * Runs a program.
     *
     * @param title for people
     * @param log for all that it prints
     * @throws IllegalStateException with the end of its output if it fails
     */
    public static ProcessCost of(String title, List<String> command, Path log)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        Map<Long, Double> cpuSeconds = new HashMap<>();
        Map<Long, Double> peakBytes = new HashMap<>();
        try {
            do {
                look(process.toHandle(), cpuSeconds, peakBytes);
                process.descendants().forEach(child -> look(child, cpuSeconds, peakBytes));
            } while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS));
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        if (process.exitValue() != 0) {
            List<String> lines = Files.readAllLines(log);
            List<String> last = lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size());
            throw new IllegalStateException(title + " has failed: " + String.join("\n", last));
        }
        return new ProcessCost(seconds, sum(cpuSeconds), sum(peakBytes));
    }

    private static double sum(Map<Long, Double> byProcess) {
        return byProcess.isEmpty()
                ? Double.NaN
                : byProcess.values().stream().mapToDouble(each -> each).sum();
    }

    /** Notes what a process has taken so far; one that is gone keeps what was seen last. */
    private static void look(
            ProcessHandle process, Map<Long, Double> cpuSeconds, Map<Long, Double> peakBytes) {
        process.info()
                .totalCpuDuration()
                .ifPresent(cpu -> cpuSeconds.put(process.pid(), cpu.toMillis() / 1e3));
        double peak = peak(process.pid());
        if (!Double.isNaN(peak)) {
            peakBytes.put(process.pid(), peak);
        }
    }

    private static double peak(long pid) {
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
}
