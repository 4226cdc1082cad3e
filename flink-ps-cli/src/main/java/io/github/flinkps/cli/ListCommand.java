package io.github.flinkps.cli;

import io.github.flinkps.cli.job.FlinkFiles;
import io.github.flinkps.cli.run.Amounts;
import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.cli.run.Failures;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.cut.CutCatalog;
import io.github.flinkps.model.cut.CutId;
import io.github.flinkps.model.cut.CutPaths;
import io.github.flinkps.model.cut.CutSummary;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
                "Lists the cuts that are kept of a model, to which checkpoints and savepoints of"
                        + " jobs refer. model export makes a model of a cut, and train"
                        + " --start-cut trains on from one. Each cut has the rows trained until"
                        + " then, and the mean loss of those since the cut before. The job"
                        + " removes the cuts of checkpoints in time. Those of savepoints stay"
                        + " until model remove removes them. Runs are in the order of their"
                        + " newest cuts. Each has the bytes of what is no cut: unfinished cuts,"
                        + " and rows of several passes, which a killed job leaves.",
        optionListHeading = "%nOptions:%n")
final class ListCommand implements Callable<Integer> {
    /** A model root has databases, and those have models. */
    private static final int MODELS_BELOW = 2;

    @Spec private CommandSpec spec;

    @Parameters(
            paramLabel = "DIR",
            description = "The model's directory below the jobs' model-root, or its URI.")
    private String directory;

    @Mixin HelpOption help;

    @Override
    public Integer call() {
        ModelStorage storage = FlinkFiles.storage();
        String place = FlinkFiles.absolute(directory);
        try {
            if (!storage.exists(place)) {
                throw new CommandException("there is no directory " + directory);
            }
        } catch (IOException e) {
            throw new CommandException("cannot read " + directory + ": " + Failures.reason(e), e);
        }
        CutCatalog catalog = new CutCatalog(storage, place);
        List<Run> runs =
                catalog.runs().stream()
                        .map(run -> new Run(run, catalog.list(run)))
                        .sorted(Comparator.comparing(Run::newest))
                        .toList();
        if (runs.isEmpty()) {
            throw new CommandException(
                    "no cuts are kept in " + directory + instead(storage, place));
        }
        PrintWriter out = spec.commandLine().getOut();
        for (Run run : runs) {
            print(run.listing(), catalog, out);
            CutCatalog.Remains remains = catalog.remains(run.name());
            if (run.listing().cuts().isEmpty() || !remains.isEmpty()) {
                out.println(line(CutPaths.run(place, run.name()), run.listing(), remains));
            }
        }
        return ExitCodes.OK;
    }

    private record Run(String name, CutCatalog.Listing listing) {
        Instant newest() {
            return listing.cuts().stream()
                    .map(CutSummary::time)
                    .max(Comparator.naturalOrder())
                    .orElse(Instant.MIN);
        }
    }

    private static void print(CutCatalog.Listing listing, CutCatalog catalog, PrintWriter out) {
        for (CutSummary cut : listing.cuts()) {
            String unusable =
                    listing.missing(cut)
                            .map(base -> ", cannot be used: " + base + " is gone")
                            .orElse("");
            out.println(line(cut, catalog.facts(cut.id())) + unusable);
        }
        listing.damaged().forEach((cut, why) -> out.println(cut + " cannot be read: " + why));
    }

    /** Returns the line about what a run has kept that belongs to no complete cut. */
    private static String line(String run, CutCatalog.Listing listing, CutCatalog.Remains remains) {
        List<String> parts = new ArrayList<>();
        if (listing.cuts().isEmpty()) {
            parts.add("no cut that can be used");
        }
        if (!remains.unfinished().isEmpty()) {
            String cuts =
                    remains.unfinished().stream()
                            .map(CutId::directoryName)
                            .collect(Collectors.joining(", "));
            parts.add("unfinished cuts %s, %,d bytes".formatted(cuts, remains.unfinishedBytes()));
        }
        if (remains.rowBytes() > 0) {
            parts.add("rows of several passes, %,d bytes".formatted(remains.rowBytes()));
        }
        return "%s  %s (model remove --run %s removes all of the run, once no job needs it)"
                .formatted(run, String.join("; ", parts), run);
    }

    /** Returns what is to be given in the place of a folder above models, or one inside a model. */
    private String instead(ModelStorage storage, String place) {
        Optional<String> above =
                CutPaths.cutAt(place)
                        .map(CutPaths.Location::model)
                        .or(() -> CutPaths.cutAt(place + "/0-0").map(CutPaths.Location::model))
                        .or(() -> CutPaths.runAt(place).map(CutPaths.Run::model))
                        .or(() -> CutPaths.runAt(place + "/run").map(CutPaths.Run::model));
        if (above.isPresent()) {
            return ", which is part of a model: give the model's directory, " + above.get();
        }
        List<String> models = new ArrayList<>();
        try {
            addModels(storage, place, MODELS_BELOW, models);
        } catch (IOException unreadable) {
            return "";
        }
        return models.isEmpty()
                ? ""
                : ", which is not a model's directory: give one of those below, "
                        + String.join(", ", models);
    }

    private static void addModels(
            ModelStorage storage, String folder, int levels, List<String> models)
            throws IOException {
        for (String name : storage.list(folder)) {
            String below = folder + "/" + name;
            if (storage.exists(CutPaths.runs(below))) {
                models.add(below);
            } else if (levels > 1) {
                addModels(storage, below, levels - 1, models);
            }
        }
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
                        switch (cut.status()) {
                            case COMPLETE -> "of a checkpoint";
                            case ABORTED -> "of a checkpoint that was given up";
                            case UNKNOWN -> "maybe of a savepoint";
                        },
                        facts);
    }
}
