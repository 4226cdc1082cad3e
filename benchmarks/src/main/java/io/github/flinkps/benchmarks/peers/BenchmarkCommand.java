package io.github.flinkps.benchmarks.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.apache.flink.util.FileUtils;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The entry of {@code bin/benchmark}. */
@Command(
        name = "benchmark",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Prints what whole jobs take and reach beside those of other programs.",
            "Programs run in turns, each in a process of its own; figures are medians. Peers are"
                    + " installed with pip the first time. An aim that is not met fails nothing."
        })
public final class BenchmarkCommand implements Callable<Integer> {
    private static final long MILLION = 1_000_000;

    @Spec private CommandSpec spec;

    @Option(names = "--root", hidden = true, description = "Folder of the repository.")
    private Path root = Path.of(".");

    @Option(
            names = "--only",
            paramLabel = "CASE",
            split = ",",
            description =
                    "Beginnings of the names of cases: limits, start, job-20, job-24, steady-20.")
    private List<String> only = List.of("");

    @Option(
            names = "--peers",
            paramLabel = "NAME",
            split = ",",
            description = "Programs beside which to run: vw, liblinear, spark.")
    private List<String> peers = List.of("vw", "liblinear", "spark");

    @Option(names = "--runs", paramLabel = "N", description = "Runs of each program.")
    private int runs = 3;

    @Option(
            names = "--rows",
            paramLabel = "N",
            description = "Rows of the cases of jobs; a fifth of those of steady.")
    private long rows = MILLION;

    /** A case that can be run. */
    private interface Case {
        List<String> run(Cases cases) throws IOException, InterruptedException;
    }

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new BenchmarkCommand()).execute(arguments));
    }

    private Map<String, Case> cases() {
        Map<String, Case> cases = new LinkedHashMap<>();
        cases.put("limits", Cases::limits);
        cases.put("start", Cases::start);
        cases.put("job-20", each -> each.job(rows, 20));
        cases.put("job-24", each -> each.job(rows, 24));
        cases.put("steady-20", each -> each.steady(rows, 5 * rows, 20));
        return cases;
    }

    @Override
    public Integer call() throws Exception {
        Map<String, Case> chosen = cases();
        chosen.keySet().removeIf(name -> only.stream().noneMatch(name::startsWith));
        if (chosen.isEmpty() || runs < 1 || rows < 1 || !PeerPrograms.NAMES.containsAll(peers)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--only takes "
                            + cases().keySet()
                            + ", --peers "
                            + new TreeSet<>(PeerPrograms.NAMES)
                            + ", and --runs and --rows at least 1");
        }
        header().forEach(spec.commandLine().getOut()::println);
        for (Case each : chosen.values()) {
            Path folder = Files.createTempDirectory("flink-ps-benchmark-");
            try {
                each.run(
                                new Cases(
                                        root.toAbsolutePath().normalize(),
                                        folder,
                                        runs,
                                        Set.copyOf(peers)))
                        .forEach(spec.commandLine().getOut()::println);
            } catch (IllegalStateException e) {
                System.err.println(e.getMessage()); // the others have figures nevertheless
            } finally {
                FileUtils.deleteDirectory(folder.toFile());
            }
        }
        return 0;
    }

    private List<String> header() {
        return List.of(
                "# Performance",
                "",
                "What `bin/benchmark` printed, all cases in one run or some at a time by `--only`.",
                "Programs run in turns, each in a process of its own; figures are medians of"
                        + " %d runs, and ratios are those of medians.".formatted(runs),
                "The machine has %d cores; what else it did meanwhile is not known."
                        .formatted(Runtime.getRuntime().availableProcessors()),
                "What servers do by themselves is measured by `bin/flink-ps bench`, estimators of"
                        + " Flink ML by `bin/flink-ml-benchmark`.",
                "");
    }
}
