package io.github.flinkps.benchmarks.results;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The entry of {@code bin/results}. */
@Command(
        name = "results",
        mixinStandardHelpOptions = true,
        description = {
            "Prints what models reach on data sets whose references are known, as docs/results.md"
                    + " has it.",
            "Ends with 1 if an aim is not met. Rows whose data set is missing are skipped."
        })
public final class ResultsCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(
            names = "--only",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Beginnings of the names of the jobs to run; see the end of docs/results.md.")
    private List<String> only = List.of("");

    @Option(names = "--scripts", hidden = true, description = "Folder of splits.py.")
    private Path scripts = Path.of("benchmarks/splits");

    @Option(
            names = "--reduced",
            description = "Few rows and passes and one shape, to see that all runs; aims not met.")
    private boolean reduced;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new ResultsCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        List<ResultJob> jobs =
                ResultJobs.all().stream()
                        .filter(job -> only.stream().anyMatch(job.name()::startsWith))
                        .toList();
        List<SplitSet> sets =
                SplitSet.ALL.stream()
                        .filter(each -> only.stream().anyMatch(Defaults.name(each)::startsWith))
                        .toList();
        if (jobs.isEmpty() && sets.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--only names no job; they are "
                            + ResultJobs.all().stream().map(ResultJob::name).toList()
                            + " and "
                            + SplitSet.ALL.stream().map(Defaults::name).toList());
        }
        String set = System.getenv("FLINK_PS_DATA");
        Path data = Path.of(set == null || set.isEmpty() ? "../shared/data" : set);
        Path folder = Files.createTempDirectory("flink-ps-results-");
        try {
            ResultsRun run = new ResultsRun(data, folder, reduced);
            boolean met = jobs.isEmpty() || print(jobs, run, System.out);
            met &= sets.isEmpty() || printDefaults(sets, run, System.out);
            return met ? 0 : 1;
        } finally {
            delete(folder);
        }
    }

    /** Returns whether all aims are met, or need not be. */
    private boolean print(List<ResultJob> jobs, ResultsRun run, PrintStream out)
            throws IOException, InterruptedException {
        ResultsPage.header(reduced).forEach(out::println);
        ResultsPage.tableHeader().forEach(out::println);
        List<Shape> shapes = reduced ? List.of(Shape.ALL.get(1)) : Shape.ALL;
        boolean met = true;
        for (ResultJob job : jobs) {
            String missing = run.missing(job);
            for (Shape shape : missing == null ? shapes : List.<Shape>of()) {
                System.err.println(job.name() + ": " + shape.title());
                try {
                    run.run(job, shape);
                } catch (IllegalStateException e) {
                    System.err.println(e.getMessage()); // its figure stays empty, its aim not met
                }
            }
            for (Measure measure : job.measures()) {
                out.println(
                        missing != null
                                ? ResultsPage.skipped(job, measure, missing)
                                : ResultsPage.row(job, measure, run, shapes));
                met &= missing != null || ResultsPage.isMet(job, measure, run, shapes);
            }
        }
        ResultsPage.commands(jobs).forEach(out::println);
        return met || reduced;
    }

    /** Returns whether the aims of defaults are met, or need not be. */
    private boolean printDefaults(List<SplitSet> sets, ResultsRun run, PrintStream out)
            throws IOException, InterruptedException {
        SplitFigures figures = new SplitFigures(run, scripts, reduced ? 1 : SplitSet.SPLITS);
        List<SplitSet> some = reduced ? sets.subList(0, 1) : sets;
        return Defaults.print(some, figures, out::println) || reduced;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
