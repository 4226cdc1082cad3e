package io.github.flinkps.cli.oracle;

import io.github.flinkps.cli.CommandException;
import io.github.flinkps.cli.RunScope;
import io.github.flinkps.cli.oracle.OracleReport.Run;
import io.github.flinkps.cli.report.JsonReport;
import io.github.flinkps.cli.report.OutputFile;
import io.github.flinkps.flink.Guarantee;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code flink-ps oracle}. */
@Command(
        name = "oracle",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Shows that every record counts exactly once: runs jobs that count, in processes of"
                        + " its own, strikes them with faults, and compares what was counted with"
                        + " what must have been.",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nWhat is run:%n",
        footer = {
            "A JobManager, three TaskManagers and parameter servers, as child processes. A",
            "seed says what a run is: servers inside TaskManagers or not, BSP, SSP or ASP,",
            "a source that says that it ends or not, passes, workers, servers, and which",
            "faults happen in which phases of the job and of its checkpoints. The first",
            "fault of seeds in a row goes through all that can happen. The model that is",
            "saved must hold every count, and so must each cut that is left, of the records",
            "before its offsets. The command fails if a count is wrong or a run does not end,",
            "whose seed it says, and if of seeds that are enough for all some never happened."
        })
public final class OracleCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            required = true,
            description = "Number of runs, each of a seed of its own, 1 to 100000.")
    private int seeds;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "The first seed; the others follow it. Default: drawn from the time.")
    private Long seed;

    @Option(
            names = "--guarantee",
            paramLabel = "KIND",
            defaultValue = "exactly-once",
            description =
                    "What jobs are asked for and held to: exactly-once or at-least-once, where"
                            + " counts may be too great, and which say how many are. Default:"
                            + " ${DEFAULT-VALUE}.")
    private String guarantee;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "Write what was found to a JSON file.")
    private Path report;

    @Override
    public Integer call() throws Exception {
        checkSeeds();
        Guarantee wanted =
                Stream.of(Guarantee.values())
                        .filter(each -> each.toString().equals(guarantee))
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new ParameterException(
                                                spec.commandLine(),
                                                "--guarantee must be exactly-once or"
                                                        + " at-least-once, not '"
                                                        + guarantee
                                                        + "'"));
        OutputFile file = report == null ? null : OutputFile.of("--report", report);
        long first = seed == null ? Instant.now().getEpochSecond() : seed;
        PrintWriter out = spec.commandLine().getOut();
        OracleReport found;
        List<Long> unfinished;
        try (OracleRuns runs = new OracleRuns(out, wanted)) {
            runs.run(first, seeds);
            found = runs.report();
            unfinished = runs.unfinished();
        }
        try (RunScope scope = new RunScope()) {
            JsonReport.prepare(file, found, scope).run();
        }
        List<String> unmet = found.unmet();
        out.println(
                "%d of the %d pairs of phase and fault that can happen were hit"
                        .formatted(Strike.ALL.size() - unmet.size(), Strike.ALL.size()));
        out.flush();
        List<String> wrong = new ArrayList<>();
        List<Run> miscounted = found.wrong(wanted);
        if (!miscounted.isEmpty()) {
            wrong.add("counts are wrong" + replay(miscounted.stream().map(Run::seed)));
        }
        if (!unfinished.isEmpty()) {
            wrong.add("runs did not come to their end" + replay(unfinished.stream()));
        }
        if (seeds >= Strike.ALL.size() && !unmet.isEmpty()) {
            wrong.add("pairs that were never hit: " + String.join(", ", unmet));
        }
        if (!wrong.isEmpty()) {
            throw new CommandException(String.join("; ", wrong));
        }
        return 0;
    }

    private void checkSeeds() {
        if (seeds < 1 || seeds > 100_000) {
            throw new ParameterException(
                    spec.commandLine(), "--seeds must be between 1 and 100000, not " + seeds);
        }
        if (seed != null && seed > Long.MAX_VALUE - seeds) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--seed must be at most "
                            + (Long.MAX_VALUE - seeds)
                            + " with "
                            + seeds
                            + " seeds, not "
                            + seed);
        }
    }

    private static String replay(Stream<Long> seeds) {
        return "; replay with --seeds 1 and --seed "
                + seeds.map(seed -> Long.toString(seed)).collect(Collectors.joining(", or "));
    }
}
