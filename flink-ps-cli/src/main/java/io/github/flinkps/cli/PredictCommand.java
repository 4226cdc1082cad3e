package io.github.flinkps.cli;

import io.github.flinkps.cli.job.JobOptions;
import io.github.flinkps.cli.job.RowsInput;
import io.github.flinkps.cli.job.SavedModel;
import io.github.flinkps.cli.job.ScoreJob;
import io.github.flinkps.cli.output.OutputFile;
import io.github.flinkps.cli.report.Predictions;
import io.github.flinkps.cli.run.Amounts;
import io.github.flinkps.cli.run.RunScope;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code flink-ps predict}. */
@Command(
        name = "predict",
        sortOptions = false,
        abbreviateSynopsis = true,
        description =
                "Scores rows with a saved model. Writes CSV with the columns label and score, in"
                        + " the order of the input. For classes the score is the likeliest one,"
                        + " and their probabilities follow. A row that is skipped has no line."
                        + " Labels and weights are not looked at. Those that are numbers are"
                        + " copied as they are, but for CSV. The column is empty where there are"
                        + " none.",
        optionListHeading = "%nOptions:%n")
final class PredictCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(names = "--model", paramLabel = "DIR", required = true, description = "The model.")
    private Path model;

    @Option(
            names = "--input",
            paramLabel = "PATH",
            split = ",",
            required = true,
            description = "Files and folders of rows to score, separated by commas.")
    private List<String> input;

    @Mixin private InputOptions format;

    @Option(
            names = "--output",
            paramLabel = "FILE",
            required = true,
            description = "File for the scores.")
    private Path output;

    @Option(names = "--quiet", description = "No output but errors.")
    private boolean quiet;

    @Mixin HelpOption help;

    @Override
    public Integer call() {
        Usage usage = new Usage(spec);
        format.check(usage);
        JobOptions options = CommandOptions.read(usage, JobOptions::scoring);
        SavedModel saved = SavedModel.open("--model", model);
        RowsInput rows =
                format.files(usage, "--input", usage.paths("--input", input), saved, false);
        OutputFile file = OutputFile.of("--output", output);
        rows.check();
        InputOptions.checkFeatures(rows);
        file.apartFrom(rows).apartFrom("--model", saved);
        return ScopedRun.run(
                spec.commandLine(),
                scope -> predict(rows, new ScoreJob(saved, options, scope), saved, file, scope));
    }

    private void predict(
            RowsInput rows, ScoreJob job, SavedModel saved, OutputFile file, RunScope scope)
            throws Exception {
        ScoreJob.Counts counts =
                Predictions.write(file, scope, saved.classes(), sink -> job.predict(rows, sink));
        if (!quiet) {
            PrintWriter out = spec.commandLine().getOut();
            out.println(Amounts.of(counts.rows(), "row", "rows") + " scored: " + output);
            if (counts.skipped() > 0) {
                out.println(
                        Amounts.of(counts.skipped(), "row", "rows")
                                + " skipped that could not be read");
            }
            out.flush();
        }
    }
}
