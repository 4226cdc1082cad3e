package io.github.flinkps.cli;

import io.github.flinkps.cli.job.RowsInput;
import io.github.flinkps.cli.job.SavedModel;
import io.github.flinkps.cli.job.WordModel;
import io.github.flinkps.cli.output.JsonReport;
import io.github.flinkps.cli.output.OutputFile;
import io.github.flinkps.cli.report.Summary;
import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.flink.metrics.NeighbourCheck;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code flink-ps model neighbours}. */
@Command(
        name = "neighbours",
        sortOptions = false,
        abbreviateSynopsis = true,
        description = {
            "Says which words are nearest to some in a model of words (skip-gram on --format"
                    + " text).",
            "With --test: also how often the neighbours of the most frequent words stand near them"
                    + " in a text of its own, as a multiple of how often other words as frequent as"
                    + " the neighbours do."
        },
        optionListHeading = "%nOptions:%n")
final class NeighboursCommand implements Callable<Integer> {
    private static final int SHOWN = 8;

    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "The model.")
    private Path directory;

    @Option(
            names = "--words",
            paramLabel = "WORD",
            split = ",",
            description = "Words whose neighbours to say. Default: some frequent ones.")
    private List<String> words;

    @Option(
            names = "--count",
            paramLabel = "K",
            defaultValue = "10",
            description = "Neighbours of each word. Default: ${DEFAULT-VALUE}.")
    private int count;

    @Option(
            names = "--among",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Most frequent words that may be neighbours. Default: ${DEFAULT-VALUE}.")
    private int among;

    @Option(
            names = "--test",
            paramLabel = "PATH",
            split = ",",
            description = "Files and folders of text to check the neighbours with.")
    private List<String> test;

    @Option(
            names = "--frequent",
            paramLabel = "N",
            defaultValue = "200",
            description = "Most frequent words that are checked. Default: ${DEFAULT-VALUE}.")
    private int frequent;

    @Option(
            names = "--near",
            paramLabel = "N",
            defaultValue = "5",
            description = "Words to each side that are near. Default: ${DEFAULT-VALUE}.")
    private int near;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "JSON file for the result of the check.")
    private Path report;

    @Mixin HelpOption help;

    @Override
    public Integer call() {
        Usage usage = new Usage(spec);
        usage.between("--count", count, 1, 1000);
        usage.between("--among", among, 2, 100_000);
        usage.between("--frequent", frequent, 1, 1000);
        usage.between("--near", near, 1, 1000);
        usage.require(report == null || test != null, "--report goes with --test only");
        SavedModel saved = SavedModel.open("DIR", directory);
        WordModel model = WordModel.open(saved);
        RowsInput text = null;
        OutputFile file = null;
        if (test != null) {
            text = RowsInput.files("--test", usage.paths("--test", test), false);
            text.check();
            if (report != null) {
                file = OutputFile.of("--report", report).apartFrom(text).apartFrom("DIR", saved);
            }
        }
        show(model);
        return text == null ? ExitCodes.OK : check(model, text, file);
    }

    private void show(WordModel model) {
        PrintWriter out = spec.commandLine().getOut();
        List<String> shown = words;
        if (shown == null) {
            // The first hundred are mostly articles, prepositions and the like.
            List<String> all = model.words();
            int from = Math.min(100, Math.max(0, all.size() - SHOWN));
            shown = all.subList(from, Math.min(all.size(), from + SHOWN));
        }
        for (String word : shown) {
            out.println(
                    word
                            + ": "
                            + model.nearest(word, count, among).stream()
                                    .collect(Collectors.joining(", ")));
        }
        out.flush();
    }

    private int check(WordModel model, RowsInput text, OutputFile file) {
        return ScopedRun.run(
                spec.commandLine(),
                scope -> {
                    NeighbourCheck.Result result = model.check(text, count, among, frequent, near);
                    if (Double.isNaN(result.multiple())) {
                        throw new CommandException(
                                "too few words to compare neighbours with: lower --count, or"
                                        + " train with more words");
                    }
                    if (file != null) {
                        JsonReport.write(file, result, scope);
                    }
                    Summary summary = new Summary(spec.commandLine().getOut());
                    summary.row("checked words", "%,d", result.words());
                    summary.row("neighbours", "%.2f times as near as chance", result.multiple());
                    summary.row("words ahead", "%.1f %%", 100 * result.wordsAhead());
                });
    }
}
