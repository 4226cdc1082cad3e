package io.github.flinkps.cli;

import io.github.flinkps.cli.report.Amounts;
import io.github.flinkps.model.CutCatalog;
import io.github.flinkps.model.CutSummary;
import io.github.flinkps.model.LocalModelStorage;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code flink-ps model list}. */
@Command(
        name = "list",
        description =
                "Lists the cuts that are kept of a model, which checkpoints and savepoints of jobs"
                    + " refer to: what model export makes a model of, and train --from-cut trains"
                    + " on from; and the rows trained until then, with the mean loss of those since"
                    + " the cut before. The job removes those of checkpoints in time, and those of"
                    + " savepoints never: model remove does.",
        optionListHeading = "%nOptions:%n")
final class ListCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(
            paramLabel = "DIR",
            description = "The model's directory below the jobs' model-root.")
    private Path directory;

    @Mixin HelpOption help;

    @Override
    public Integer call() {
        if (!Files.isDirectory(directory)) {
            throw new CommandException("there is no directory " + directory);
        }
        CutCatalog catalog =
                new CutCatalog(new LocalModelStorage(), LocalModelStorage.path(directory));
        List<String> runs = catalog.runs();
        PrintWriter out = spec.commandLine().getOut();
        int cuts = 0;
        for (String run : runs) {
            CutCatalog.Listing listing = catalog.list(run);
            for (CutSummary cut : listing.cuts()) {
                String unusable =
                        listing.missing(cut)
                                .map(base -> ", cannot be used: " + base + " is gone")
                                .orElse("");
                out.println(line(cut, catalog.facts(cut.id())) + unusable);
                cuts++;
            }
            listing.damaged().forEach((cut, why) -> out.println(cut + " cannot be read: " + why));
        }
        if (cuts == 0) {
            throw new CommandException("no cuts are kept in " + directory);
        }
        return ExitCodes.OK;
    }

    private static String line(CutSummary cut, Map<String, String> known) {
        String facts =
                known.entrySet().stream()
                        .map(fact -> ", " + fact.getKey() + "=" + fact.getValue())
                        .collect(Collectors.joining());
        return "%s  %s  %s, %,d bytes, %s, %s%s"
                .formatted(
                        cut.ref().path(),
                        cut.time(),
                        Amounts.of(cut.rows(), "row", "rows"),
                        cut.bytes(),
                        cut.base().map(base -> "adds to " + base.cut()).orElse("full"),
                        switch (cut.standing()) {
                            case COMPLETE -> "of a checkpoint";
                            case ABORTED -> "of a checkpoint that was given up";
                            case UNKNOWN -> "maybe of a savepoint";
                        },
                        facts);
    }
}
