package io.github.flinkps.benchmarks.flinkml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.flink.util.FileUtils;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The entry of {@code bin/flink-ml-benchmark}. */
@Command(
        name = "flink-ml-benchmark",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Prints what our estimators and those of Flink ML take and reach on the same rows, as"
                    + " the end of docs/flink-ml.md has it.",
            "Ends with 1 if an aim is not met. A workload whose data set is missing is skipped."
        })
public final class FlinkMlCommand implements Callable<Integer> {
    static final long ROWS = 1_000_000;
    static final int BITS = 20;

    @Spec private CommandSpec spec;

    @Option(
            names = "--peer",
            paramLabel = "CLASSPATH",
            required = true,
            description = "Class path of the programs of Flink ML, which the script sets.")
    private String peer;

    @Option(
            names = "--data",
            paramLabel = "FOLDER",
            defaultValue = "${env:FLINK_PS_DATA:-../shared/data}",
            description = "Folder of the data sets.")
    private Path data;

    @Option(
            names = "--rows",
            paramLabel = "N",
            description = "Number of rows of the click log, and the most rows of a9a.")
    private long rows = ROWS;

    @Option(
            names = "--bits",
            paramLabel = "N",
            description = "Bits of the hash of the click log's features.")
    private int bits = BITS;

    @Option(names = "--runs", paramLabel = "N", description = "Runs of both programs, in turns.")
    private int runs = 1;

    @Option(names = "--subtasks", paramLabel = "N", description = "Subtasks of operators.")
    private int subtasks = 2;

    @Option(
            names = "--java-options",
            paramLabel = "OPTION",
            split = ",",
            description = "Options of the JVM of each process.")
    private List<String> javaOptions = List.of("-Xmx6g");

    @Option(
            names = "--only",
            paramLabel = "NAME",
            split = ",",
            description = "Beginnings of the names of the workloads to run: clicks, a9a.")
    private List<String> only = List.of("");

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new FlinkMlCommand()).execute(arguments));
    }

    /** Returns the workloads, in the order of the tables. */
    static List<ComparedWorkload> workloads(Path data, long rows, int bits) {
        return List.of(ComparedWorkload.clicks(rows, bits), ComparedWorkload.a9a(data, rows));
    }

    @Override
    public Integer call() throws Exception {
        if (bits < 1 || bits > 30 || rows < 1 || runs < 1 || subtasks < 1) {
            throw new ParameterException(
                    spec.commandLine(), "--bits is from 1 to 30, other numbers are at least 1");
        }
        List<Comparison> comparisons = new ArrayList<>();
        for (ComparedWorkload workload : workloads(data, rows, bits)) {
            if (only.stream().noneMatch(workload.name()::startsWith)) {
                continue;
            }
            if (workload.needs().stream().allMatch(name -> Files.exists(data.resolve(name)))) {
                comparisons.add(compare(workload));
            } else {
                System.err.println(workload.name() + ": skipped: no " + workload.needs());
            }
        }
        page(comparisons).forEach(spec.commandLine().getOut()::println);
        return comparisons.stream().allMatch(Comparison::meetsAll) ? 0 : 1;
    }

    /** Returns the lines of both tables: what was measured, and the aims. */
    static List<String> page(List<Comparison> comparisons) {
        List<String> lines = new ArrayList<>(Comparison.header());
        comparisons.forEach(comparison -> lines.addAll(comparison.rows()));
        lines.add("");
        lines.addAll(Comparison.aimsHeader());
        comparisons.forEach(comparison -> lines.addAll(comparison.aims()));
        return lines;
    }

    private Comparison compare(ComparedWorkload workload) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("flink-ml-benchmark-");
        try {
            workload.rows().write(folder);
            Comparison comparison = new Comparison(workload, new ArrayList<>(), new ArrayList<>());
            for (int run = 0; run < runs; run++) {
                comparison.peer().add(run(Contender.peer(peer), workload, folder));
                comparison.ours().add(run(Contender.ours(), workload, folder));
            }
            return comparison;
        } finally {
            FileUtils.deleteDirectory(folder.toFile());
        }
    }

    private ProgramRun run(Contender program, ComparedWorkload workload, Path folder)
            throws IOException, InterruptedException {
        System.err.println(workload.name() + ": " + program.title(workload));
        try {
            return ProgramRun.of(program, workload, folder, subtasks, javaOptions);
        } catch (IllegalStateException e) {
            System.err.println(e.getMessage()); // its figures stay empty, its aims not met
            return ProgramRun.NONE;
        }
    }
}
