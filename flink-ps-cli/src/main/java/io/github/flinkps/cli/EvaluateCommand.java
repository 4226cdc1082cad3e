package io.github.flinkps.cli;

import io.github.flinkps.cli.job.JobOptions;
import io.github.flinkps.cli.job.RowsInput;
import io.github.flinkps.cli.job.SavedModel;
import io.github.flinkps.cli.job.ScoreJob;
import io.github.flinkps.cli.job.TestResult;
import io.github.flinkps.cli.output.JsonReport;
import io.github.flinkps.cli.output.OutputFile;
import io.github.flinkps.cli.report.EvaluateReport;
import io.github.flinkps.cli.report.LearningWarnings;
import io.github.flinkps.cli.report.ModelReport;
import io.github.flinkps.cli.report.Summary;
import io.github.flinkps.cli.report.TestReport;
import io.github.flinkps.cli.run.RunScope;
import io.github.flinkps.model.ModelHeader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code flink-ps evaluate}. */
@Command(
        name = "evaluate",
        sortOptions = false,
        abbreviateSynopsis = true,
        description = "Measures how well a saved model predicts rows.",
        optionListHeading = "%nOptions:%n")
final class EvaluateCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(names = "--model", paramLabel = "DIR", required = true, description = "The model.")
    private Path model;

    @Option(
            names = "--test",
            paramLabel = "PATH",
            split = ",",
            required = true,
            description = "Files and folders of rows to predict, separated by commas.")
    private List<String> test;

    @Mixin private InputOptions format;

    @Option(names = "--report", paramLabel = "FILE", description = "JSON file for the measures.")
    private Path report;

    @Option(names = "--quiet", description = "No output but errors.")
    private boolean quiet;

    @Mixin HelpOption help;

    @Override
    public Integer call() {
        long start = System.nanoTime();
        Usage usage = new Usage(spec);
        format.check(usage);
        JobOptions options = CommandOptions.read(usage, JobOptions::scoring);
        SavedModel saved = SavedModel.open("--model", model);
        RowsInput rows = format.files(usage, "--test", usage.paths("--test", test), saved, true);
        OutputFile file = report == null ? null : OutputFile.of("--report", report);
        rows.check();
        InputOptions.checkFeatures(rows);
        if (file != null) {
            file.apartFrom(rows).apartFrom("--model", saved);
        }
        return ScopedRun.run(
                spec.commandLine(),
                scope ->
                        evaluate(
                                rows,
                                new ScoreJob(saved, options, scope),
                                saved,
                                file,
                                start,
                                scope));
    }

    private void evaluate(
            RowsInput rows,
            ScoreJob job,
            SavedModel saved,
            OutputFile file,
            long start,
            RunScope scope)
            throws Exception {
        TestResult result = job.evaluate(rows);
        double seconds = (System.nanoTime() - start) / 1e9;
        if (file != null) {
            JsonReport.write(
                    file,
                    new EvaluateReport(seconds, TestReport.of(result), ModelReport.of(saved)),
                    scope);
        }
        if (!quiet) {
            Summary summary = new Summary(spec.commandLine().getOut());
            summary.test(result, Map.of());
            summary.calibration(result.calibration());
            summary.confusion(result.confusion());
            ModelHeader header = saved.manifest().header();
            ErrorHandlers.warn(
                    spec.commandLine(),
                    LearningWarnings.of(result, header.algorithm(), header.parameters()));
        }
    }
}
