package io.github.flinkps.harness.oracle;

import io.github.flinkps.cli.Subcommand;
import io.github.flinkps.cli.output.JsonReport;
import io.github.flinkps.cli.output.OutputFile;
import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.cli.run.RunScope;
import io.github.flinkps.harness.oracle.OracleReport.Run;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
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
                "Shows that every record counts exactly once. Runs jobs that count, in processes"
                        + " of their own, and strikes them with faults. Compares what was"
                        + " counted with what must have been.",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nWhat is run:%n",
        footer = {
            "A JobManager, three TaskManagers and parameter servers, as child processes. The",
            "seed of a run decides: servers inside TaskManagers or not; BSP, SSP or ASP; a",
            "source that says that it ends or not; the passes, workers and servers; which",
            "faults happen in which phases of the job and of its checkpoints. The first",
            "faults of seeds in a row go through all that can happen. The saved model must",
            "hold every count. Each cut that is left must hold the counts of the records",
            "before its offsets. The command fails if a count is wrong or a run does not end,",
            "and names the seed. It also fails if the seeds are enough for all faults and",
            "some never happened. Without checkpoints faults strike in training and at the",
            "end only."
        })
public final class OracleCommand implements Subcommand {
    private static final int MOST_SEEDS = 100_000;

    @Spec private CommandSpec spec;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            required = true,
            description = "Number of runs, each of a seed of its own, 1 to " + MOST_SEEDS + ".")
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
                    "Guarantee that jobs must keep. exactly-once: every count is right."
                            + " at-least-once: counts may be too great. no-checkpoints: jobs"
                            + " begin anew after failures; counts may be too small where the"
                            + " source does not go back. The report says how many are. Default:"
                            + " ${DEFAULT-VALUE}.")
    private String guarantee;

    @Option(
            names = "--machines",
            description =
                    "Runs on machines of their own, as far as the network goes: network"
                            + " namespaces of Linux, which need root. Each run cuts a link of"
                            + " one machine.")
    private boolean machines;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "JSON file for what was found, written anew after each run.")
    private Path report;

    @Override
    public Integer call() throws Exception {
        checkSeeds();
        OracleKind kind =
                Stream.of(OracleKind.values())
                        .filter(each -> each.text().equals(guarantee))
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new ParameterException(
                                                spec.commandLine(),
                                                "--guarantee must be exactly-once, at-least-once"
                                                        + " or no-checkpoints, not '"
                                                        + guarantee
                                                        + "'"));
        OutputFile file = report == null ? null : OutputFile.of("--report", report);
        boolean meanwhile = file != null && file.isReplaced();
        long first = seed == null ? Instant.now().getEpochSecond() : seed;
        PrintWriter out = spec.commandLine().getOut();
        List<String> wrong;
        try (OracleRuns runs =
                runs(out, kind, meanwhile ? found -> write(file, found) : found -> {})) {
            runs.run(first, seeds);
            OracleReport found = runs.report();
            wrong = wrong(found, kind);
            // Before all that may still fail.
            out.println(verdict(found, kind, wrong));
            int pairs = kind.strikes(machines).size();
            out.println(
                    "%d of the %d pairs of phase and fault that can happen were hit"
                            .formatted(pairs - found.unmet().size(), pairs));
            out.flush();
            if (!meanwhile) {
                write(file, found);
            }
        }
        if (!wrong.isEmpty()) {
            throw new CommandException(String.join("; ", wrong));
        }
        return 0;
    }

    private OracleRuns runs(PrintWriter out, OracleKind kind, Consumer<OracleReport> progress) {
        try {
            return new OracleRuns(out, kind, machines, progress);
        } catch (IOException e) {
            throw new CommandException("the oracle cannot start: " + e.getMessage(), e);
        }
    }

    private static void write(OutputFile file, OracleReport found) {
        try (RunScope scope = new RunScope()) {
            JsonReport.write(file, found, scope);
        }
    }

    private static String verdict(OracleReport found, OracleKind kind, List<String> wrong) {
        long lost = found.runs().stream().mapToLong(Run::lost).sum();
        long doubled = found.runs().stream().mapToLong(Run::doubled).sum();
        return "%s, %s: %d lost and %d doubled in %d runs"
                .formatted(
                        kind.text(),
                        wrong.isEmpty() ? "as it must be" : "wrong",
                        lost,
                        doubled,
                        found.runs().size());
    }

    private List<String> wrong(OracleReport found, OracleKind kind) {
        List<String> wrong = new ArrayList<>();
        List<Run> miscounted = found.wrong(kind);
        if (!miscounted.isEmpty()) {
            wrong.add("counts are wrong" + replay(miscounted.stream().map(Run::seed)));
        }
        if (!found.unfinished().isEmpty()) {
            wrong.add("runs did not come to their end" + replay(found.unfinished().stream()));
        }
        if (seeds >= kind.strikes(false).size() && !found.unmet().isEmpty()) {
            wrong.add("pairs that were never hit: " + String.join(", ", found.unmet()));
        }
        return wrong;
    }

    private void checkSeeds() {
        if (seeds < 1 || seeds > MOST_SEEDS) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--seeds must be between 1 and " + MOST_SEEDS + ", not " + seeds);
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
