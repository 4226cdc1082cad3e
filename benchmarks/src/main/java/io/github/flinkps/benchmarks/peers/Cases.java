package io.github.flinkps.benchmarks.peers;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The cases of {@code bin/benchmark}; each runs its programs in turns. */
final class Cases {
    private static final String ONE_PASS = "--optimizer ftrl --epochs 1";
    private static final String LARGE_BATCHES = ONE_PASS + " --consistency asp --batch-size 10000";

    private final Path root;
    private final Path folder;
    private final int runs;
    private final PeerPrograms peers;

    /**
     * @param root of the repository
     * @param folder for rows and models
     * @param runs of each program
     * @param peers beside which to run, see {@link PeerPrograms#NAMES}
     */
    Cases(Path root, Path folder, int runs, Set<String> peers) {
        this.root = root;
        this.folder = folder;
        this.runs = runs;
        this.peers = new PeerPrograms(root.resolve("benchmarks"), peers);
    }

    /** Measures the machine: what all other figures stay below. */
    List<String> limits() throws IOException, InterruptedException {
        double[] plain = limits(List.of());
        double[] huge = limits(List.of("-XX:+UseTransparentHugePages"));
        Report report =
                new Report(
                        "The machine",
                        "By one thread; what comes over loopback is read by a second one.");
        report.columns("limit", "");
        report.row("one stream over loopback, GB/s", "%.2f", plain[0] / 1e9);
        report.row("ping-pong of 64 bytes over loopback, median, us", "%.1f", plain[1] / 1e3);
        report.row("copies of memory, GB/s", "%.1f", plain[2] / 1e9);
        report.row("random reads of 1 GiB, M/s", "%.1f", plain[3] / 1e6);
        report.row("random reads in huge pages, M/s", "%.1f", huge[3] / 1e6);
        return report.lines();
    }

    private double[] limits(List<String> options) throws IOException, InterruptedException {
        System.err.println("the machine " + options);
        List<String> command = java(Limits.class);
        command.addAll(1, List.of("-Xmx3g", "-XX:+AlwaysPreTouch"));
        command.addAll(1, options);
        Path log = folder.resolve("limits");
        ProcessCost.of("measuring the machine", command, log);
        return Files.readAllLines(log).stream().mapToDouble(Double::parseDouble).toArray();
    }

    /** Measures a start: that of a job of few rows beside an empty job of Flink. */
    List<String> start() throws IOException, InterruptedException {
        Workload rows = Workload.write(folder, 200, 20);
        Program ours = Program.ours(root, ONE_PASS);
        List<Figures> jobs = new ArrayList<>();
        List<ProcessCost> empty = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            System.err.println("an empty job");
            empty.add(ProcessCost.of("an empty job", java(EmptyJob.class), rows.file("log")));
            jobs.add(ours.run(rows, false));
        }
        Report report =
                new Report(
                        "Start",
                        "A whole process, from its start to its end: an empty Flink job with a"
                                + " parallelism of 2, and a training on 200 rows.");
        report.columns("job", "seconds", "CPU seconds");
        double emptySeconds = median(empty);
        Figures job = Figures.median(jobs);
        double emptyCpu =
                Figures.median(empty.stream().mapToDouble(ProcessCost::cpuSeconds).toArray());
        report.row("empty", "%.2f %.2f", emptySeconds, emptyCpu);
        report.row(ours.title(), "%.2f %.2f", job.cost().seconds(), job.cost().cpuSeconds());
        report.atMost(
                "seconds, to those of an empty job", job.cost().seconds() / emptySeconds, 1.5);
        return report.lines();
    }

    private static double median(List<ProcessCost> costs) {
        return Figures.median(costs.stream().mapToDouble(ProcessCost::seconds).toArray());
    }

    /** Returns the command that runs a class of this program. */
    private static List<String> java(Class<?> main) {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin/java");
        // What Flink needs of Java 17: the same as this process.
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("--add-"))
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(main.getName());
        return command;
    }

    /** Measures whole jobs: reading, training and testing, with the start of the process. */
    List<String> job(long rows, int bits) throws IOException, InterruptedException {
        Workload workload = Workload.write(folder, rows, bits);
        List<Program> programs = peers.all();
        Program best = Program.ours(root, LARGE_BATCHES);
        programs.add(best);
        Program onePass = Program.ours(root, ONE_PASS);
        programs.add(onePass);
        programs.add(Program.ours(root, ""));
        Map<Program, Figures> figures = run(programs, workload, true);
        Report report =
                new Report(
                        "Jobs: " + workload.title(),
                        "Logistic regression on the generated click log: 39 features a row, read"
                                + " from one text file. The model that made the rows has a logloss"
                                + " of %.4f.".formatted(workload.best()),
                        "Seconds are those of a whole process, start and test included; rows/s are"
                                + " of reading and training alone.");
        report.columns(
                "program",
                "seconds",
                "CPU seconds",
                "peak MiB",
                "rows/s",
                "bytes/row",
                "logloss",
                "AUC");
        figures.forEach(
                (program, each) ->
                        report.row(
                                program.title()
                                        + (Double.isNaN(each.trainSeconds()) ? ": fails" : ""),
                                "%.1f %.1f %.0f %.0f %.0f %.4f %.4f",
                                each.cost().seconds(),
                                each.cost().cpuSeconds(),
                                each.cost().peakBytes() / (1 << 20),
                                rows / each.trainSeconds(),
                                each.bytesPerRow(),
                                each.logloss(),
                                each.auc()));
        Figures ours = figures.get(best);
        report.atMost(
                "CPU seconds for a million rows, start and test included",
                ours.cost().cpuSeconds() * 1e6 / rows,
                10);
        report.atLeast(
                "seconds of Spark, to ours",
                of(PeerPrograms.MLLIB, figures).cost().seconds() / ours.cost().seconds(),
                8);
        report.atMost(
                "logloss of one pass, less that of Vowpal Wabbit `--ftrl`, in thousandths",
                1000 * (figures.get(onePass).logloss() - of(PeerPrograms.FTRL, figures).logloss()),
                0);
        return report.lines();
    }

    /** Returns the figures of a title; without any if it did not run. */
    private static Figures of(String title, Map<Program, Figures> figures) {
        return figures.entrySet().stream()
                .filter(each -> each.getKey().title().equals(title))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(Figures.median(List.of()));
    }

    /** Measures training without its start: the difference of jobs of many and of few rows. */
    List<String> steady(long few, long many, int bits) throws IOException, InterruptedException {
        List<Program> programs = new ArrayList<>(peers.vowpalWabbit());
        Program best = Program.ours(root, LARGE_BATCHES);
        programs.add(best);
        Program onePass = Program.ours(root, ONE_PASS);
        programs.add(onePass);
        Map<Program, Figures> first = run(programs, Workload.write(folder, few, bits), false);
        Map<Program, Figures> all = run(programs, Workload.write(folder, many, bits), false);
        Report report =
                new Report(
                        "Steady state: %,d to %,d rows, 2^%d features".formatted(few, many, bits),
                        "What a job takes less what a job of the first rows takes, by row: reading"
                                + " and training without any start.");
        report.columns("program", "rows/s", "CPU us/row");
        long rows = many - few;
        Map<String, double[]> each = new LinkedHashMap<>();
        for (Program program : programs) {
            ProcessCost most = all.get(program).cost();
            ProcessCost least = first.get(program).cost();
            double rate = rows / (most.seconds() - least.seconds());
            double cpu = 1e6 * (most.cpuSeconds() - least.cpuSeconds()) / rows;
            each.put(program.title(), new double[] {rate, cpu});
            report.row(program.title(), "%.0f %.2f", rate, cpu);
        }
        report.atLeast(
                "rows/s at 10,000 rows, to Vowpal Wabbit's",
                ratio(each, best.title(), PeerPrograms.FTRL, 0),
                1);
        report.atMost("CPU there", ratio(each, best.title(), PeerPrograms.FTRL, 1), 1.1);
        report.atLeast(
                "rows/s by the default size, to those at 10,000",
                ratio(each, onePass.title(), best.title(), 0),
                .5);
        return report.lines();
    }

    private static double ratio(Map<String, double[]> figures, String one, String other, int at) {
        double[] divisor = figures.get(other);
        return divisor == null ? Double.NaN : figures.get(one)[at] / divisor[at];
    }

    /** Runs programs in turns; returns the medians of each, without figures of one that fails. */
    Map<Program, Figures> run(List<Program> programs, Workload workload, boolean tested)
            throws IOException, InterruptedException {
        Map<Program, List<Figures>> figures = new LinkedHashMap<>();
        programs.forEach(program -> figures.put(program, new ArrayList<>()));
        List<Program> going = new ArrayList<>(programs);
        for (int run = 0; run < runs; run++) {
            for (Program program : List.copyOf(going)) {
                try {
                    figures.get(program).add(program.run(workload, tested));
                } catch (IllegalStateException failed) {
                    if (program.ours()) {
                        throw failed;
                    }
                    System.err.println(failed.getMessage()); // that is a figure, too
                    figures.get(program).clear();
                    going.remove(program);
                }
            }
        }
        Map<Program, Figures> medians = new LinkedHashMap<>();
        figures.forEach((program, each) -> medians.put(program, Figures.median(each)));
        return medians;
    }
}
