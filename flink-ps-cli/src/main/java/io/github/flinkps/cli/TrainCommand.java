package io.github.flinkps.cli;

import io.github.flinkps.cli.generate.GeneratedRows;
import io.github.flinkps.cli.job.Algorithms;
import io.github.flinkps.cli.job.CutSource;
import io.github.flinkps.cli.job.JobOptions;
import io.github.flinkps.cli.job.ModelTarget;
import io.github.flinkps.cli.job.RowsInput;
import io.github.flinkps.cli.job.SavedModel;
import io.github.flinkps.cli.job.TrainJob;
import io.github.flinkps.cli.job.TrainRequest;
import io.github.flinkps.cli.job.TrainResult;
import io.github.flinkps.cli.output.JsonReport;
import io.github.flinkps.cli.progress.ProgressTracker;
import io.github.flinkps.cli.progress.Terminal;
import io.github.flinkps.cli.report.LearningWarnings;
import io.github.flinkps.cli.report.Summary;
import io.github.flinkps.cli.report.TrainReport;
import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.cli.run.RunScope;
import io.github.flinkps.flink.algorithm.FieldAwareFactorizationMachine;
import io.github.flinkps.flink.algorithm.ModelOption;
import io.github.flinkps.flink.algorithm.TrainingModels;
import io.github.flinkps.flink.data.CsvRecipe;
import io.github.flinkps.flink.data.FileRecipe;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.NumericTransform;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code flink-ps train}. */
@Command(
        name = "train",
        sortOptions = false,
        abbreviateSynopsis = true,
        description = {
            "Trains a model with a Flink job over a sharded parameter server.",
            "Without --input: on a click log made from a known model, or for matrix-factorization"
                + " on ratings, written once and kept in FLINK_PS_CACHE, else in ~/.cache/flink-ps."
        },
        optionListHeading = "%nOptions:%n")
final class TrainCommand implements Callable<Integer> {
    private static final String LIBSVM_KEY_BITS = "31";
    private static final String INITIAL_MODEL = "--initial-model";
    private static final String START_CUT = "--start-cut";

    @Spec private CommandSpec spec;
    @ParentCommand private RootCommand root;

    @Option(
            names = "--input",
            paramLabel = "PATH",
            split = ",",
            description = "Files and folders of rows to train on, separated by commas.")
    private List<String> input;

    @Mixin private GeneratedOptions generated;
    @Mixin private InputOptions format;
    @Mixin private ColumnOptions columns;

    @Option(
            names = "--test",
            paramLabel = "PATH",
            split = ",",
            description = "Files and folders of rows to test the model with.")
    private List<String> test;

    @Option(
            names = "--test-share",
            paramLabel = "F",
            description = "Share of the input's rows that test, between 0 and 1; the others train.")
    private Double testShare;

    @Mixin private AlgorithmOptions algorithm;
    @Mixin private OptimizerOptions optimizer;
    @Mixin private TuningOptions tuning;

    @Mixin private CheckpointOptions checkpoints;

    @Option(
            names = "--model",
            paramLabel = "DIR",
            description = "Folder for the model, in the place of one that is there.")
    private Path model;

    @Mixin private TrainOutputs outputs;

    @Mixin HelpOption help;

    private JobOptions job;
    private List<String> chosen = List.of();

    @Override
    public Integer call() {
        long start = System.nanoTime();
        Usage usage = new Usage(spec);
        check(usage);
        ModelTarget target = model == null ? null : ModelTarget.of("--model", model);
        outputs.check(target);
        String startCut = typed(START_CUT);
        CutSource cut = startCut == null ? null : CutSource.ofCut(START_CUT, startCut);
        SavedModel initial = initial(cut);
        Map<String, String> options = options(usage, initial);
        String learner = algorithm.name(initial);
        if (input == null) {
            generated.checkAlgorithm(usage, learner);
        }
        if (input == null && initial == null) {
            InputFit.lengths(
                    usage, learner, options, generated.recipe(learner, columns.hashBits()));
        }
        GeneratedRows log =
                input != null
                        ? null
                        : showing(
                                "generating rows", () -> generated.log(usage, learner, job.seed()));
        RowsInput all =
                log == null
                        ? format.files("--input", usage.paths("--input", input))
                        : GeneratedOptions.rows(log.train());
        RowsInput testing = log == null ? testing(all) : GeneratedOptions.rows(log.test());
        RowsInput training = all.trainPart(job.seed(), share());
        training = job.validationShare().map(training::withValidation).orElse(training);
        all.check();
        if (testing != null && test != null) {
            testing.check();
        }
        outputs.checkApart(training, testing, initial);
        FileRecipe recipe = recipe(usage, training, initial, options);
        if (initial == null) {
            InputFit.lengths(usage, learner, options, recipe);
        }
        training = training.withRecipe(recipe);
        testing = testing == null ? null : testing.withRecipe(test(recipe, testing));
        TrainRequest.Learner told = new TrainRequest.Learner(learner, options);
        if (input != null) {
            told = tuned(usage, initial, told, training, testing);
        }
        TrainRequest request =
                new TrainRequest(
                        training,
                        testing,
                        told,
                        new TrainRequest.Start(initial, cut),
                        job,
                        checkpoints.choice(),
                        target);
        return ScopedRun.run(spec.commandLine(), scope -> train(request, log, start, scope));
    }

    /** Returns what is said of the model to train on, or null. */
    private SavedModel initial(CutSource cut) {
        if (cut != null) {
            return SavedModel.ofCut(cut);
        }
        String directory = typed(INITIAL_MODEL);
        return directory == null
                ? null
                : SavedModel.open(INITIAL_MODEL, new LocalPathConverter().convert(directory));
    }

    /** Returns what was typed for an option of the job, or null. */
    private String typed(String option) {
        return (String) new Usage(spec).value(option);
    }

    /** Returns the option that names the model to train on, or null. */
    private String trainsOn() {
        return typed(START_CUT) != null
                ? START_CUT
                : typed(INITIAL_MODEL) != null ? INITIAL_MODEL : null;
    }

    /** Tells on a terminal what takes its time before the job. */
    private <T> T showing(String what, Supplier<T> work) {
        if (outputs.quiet()) {
            return work.get();
        }
        root.terminal.status(what + " ..");
        try {
            return work.get();
        } finally {
            root.terminal.clear();
        }
    }

    /**
     * Checks and returns the options of the model. Where all keys are hashed they are below 2 to
     * the power of hash-bits, and indices are int32 in most programs that write libsvm. The options
     * tell the tables so, which makes lists of keys shorter on the wire.
     */
    private Map<String, String> options(Usage usage, SavedModel initial) {
        Map<String, String> options = algorithm.options(usage, initial, optimizer);
        boolean dense = options.containsKey(ModelOption.FEATURES.name());
        usage.require(
                input != null || !dense,
                (initial == null ? "--features" : initial.option() + " of a dense table")
                        + " goes with --input only: generated rows have hashed features");
        if ((input == null || format.isCsv() || format.isVw()) && initial == null && !dense) {
            algorithm.offer(options, ModelOption.KEY_BITS, Integer.toString(columns.hashBits()));
        }
        String name = algorithm.name(initial);
        if (format.isLibsvm() && initial == null && !dense && RowsInput.areAny(name)) {
            algorithm.offer(
                    options,
                    ModelOption.KEY_BITS,
                    buckets(usage) ? Integer.toString(columns.hashBits()) : LIBSVM_KEY_BITS);
        }
        if (format.isLibffm() && initial == null) {
            usage.require(!dense, "--features does not go with --format libffm");
            algorithm.offer(options, FieldAwareFactorizationMachine.FIELD_KEYS, "true");
        }
        usage.require(
                !format.isVw() && !format.isLibffm()
                        || RowsInput.areAny(name)
                        || RowsInput.fieldsOfKeys(name, options) > 0,
                "--algorithm " + name + " does not go with --format " + format.name());
        if (initial == null) {
            usage.require(
                    hashes(usage) || !usage.given("--hash-bits"),
                    "--hash-bits goes with --format csv or vw, --numeric-transform bucket or"
                            + " generated clicks only: nothing else is hashed");
            if (hashes(usage)) {
                InputFit.hashed(usage, options, columns.hashBits());
            }
        }
        return options;
    }

    /** Returns whether features become keys of so many bits. */
    private boolean hashes(Usage usage) {
        return input == null && !GeneratedOptions.isOfRatings(algorithm.name(null))
                || format.isCsv()
                || format.isVw()
                || buckets(usage) && format.isLibsvm();
    }

    private static boolean buckets(Usage usage) {
        Object transform = usage.value("--numeric-transform");
        return transform != null
                && NumericTransform.BUCKET.option().equalsIgnoreCase(transform.toString());
    }

    private FileRecipe recipe(
            Usage usage, RowsInput training, SavedModel initial, Map<String, String> options) {
        if (initial != null) {
            return format.files(usage, training.option(), training.paths(), initial, true).recipe();
        }
        if (input == null) {
            return generated.recipe(algorithm.name(null), columns.hashBits());
        }
        String name = algorithm.name(null);
        usage.require(
                !format.isText() || RowsInput.areWords(name),
                "--format text goes with --algorithm "
                        + Algorithms.names().stream()
                                .filter(RowsInput::areWords)
                                .collect(Collectors.joining(" or "))
                        + " only, not "
                        + name);
        Labels labels = TrainingModels.create(name, options).labels();
        return showing(
                "reading the columns",
                () ->
                        columns.recipe(
                                usage,
                                format,
                                training,
                                labels,
                                RowsInput.fieldsOfKeys(name, options),
                                tuning.scales(name, format.isCsv())));
    }

    /** Finds how to train where that is not given; returns the model with its options. */
    private TrainRequest.Learner tuned(
            Usage usage,
            SavedModel initial,
            TrainRequest.Learner told,
            RowsInput training,
            RowsInput testing) {
        TuningOptions.Found found =
                showing(
                        "choosing how to train",
                        () -> tuning.find(usage, initial, told, job, training, testing));
        job = found.job();
        chosen = found.found();
        return new TrainRequest.Learner(told.algorithm(), found.options());
    }

    /** Returns the recipe for test rows, whose columns may stand in another order. */
    private FileRecipe test(FileRecipe recipe, RowsInput testing) {
        return test != null && recipe instanceof CsvRecipe csv
                ? format.fit(csv, testing, true)
                : recipe;
    }

    private void train(TrainRequest request, GeneratedRows log, long start, RunScope scope)
            throws Exception {
        Terminal terminal = root.terminal;
        begin(terminal, request);
        ProgressTracker progress =
                new ProgressTracker(job.workers(), job.epochs(), System::nanoTime, start);
        double prepared = (System.nanoTime() - start) / 1e9;
        try (TrainOutputs.Curves curves = outputs.open()) {
            scope.whileRunning(limit -> terminal.close());
            Terminal shown = outputs.quiet() ? null : terminal;
            curves.follow(progress, shown, request.lossName(), job.service().count());
            TrainJob training = new TrainJob(request, scope);
            TrainResult result = training.run(progress);
            if (result.test() != null) {
                curves.tested(result.test().measures());
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            TrainReport report = TrainReport.of(result, seconds);
            training.publish(JsonReport.prepare(outputs.report(), report, scope));
            if (!outputs.quiet()) {
                terminal.clear();
                Map<String, Double> best = log == null ? Map.of() : log.best();
                new Summary(terminal.out()).training(result, progress, prepared, seconds, best);
                ErrorHandlers.warn(spec.commandLine(), LearningWarnings.of(result, request));
            }
        } finally {
            terminal.clear();
        }
    }

    private void begin(Terminal terminal, TrainRequest request) {
        if (!outputs.quiet()) {
            terminal.line("training on " + request.rows().describe() + ": " + job.describe());
            request.labels().ifPresent(terminal::line);
            if (!chosen.isEmpty()) {
                terminal.line("chosen by the rows: " + String.join(" ", chosen));
            }
            request.leftOut().ifPresent(terminal::line);
            if (terminal.out().checkError()) {
                throw new CommandException(ErrorHandlers.NO_OUTPUT);
            }
        }
    }

    private void check(Usage usage) {
        format.check(usage);
        usage.require(
                test == null || testShare == null,
                "--test names test rows, --test-share takes them from the input: give one of"
                        + " them");
        usage.require(
                testShare == null || testShare > 0 && testShare < 1,
                "--test-share must be above 0 and below 1, not " + testShare);
        if (input == null) {
            for (String option : GeneratedOptions.FOR_INPUT) {
                usage.require(!usage.given(option), option + " goes with --input only");
            }
        }
        generated.check(usage, input != null);
        columns.check(usage, format, trainsOn(), input != null);
        usage.require(
                !usage.given("--buckets") || buckets(usage),
                "--buckets goes with --numeric-transform bucket only");
        checkpoints.check(usage);
        job = CommandOptions.read(usage, JobOptions::training);
        algorithm.check(usage, trainsOn());
        optimizer.check(usage);
        tuning.check(usage);
    }

    private double share() {
        return testShare == null ? 0 : testShare;
    }

    private RowsInput testing(RowsInput all) {
        if (test != null) {
            return format.files("--test", new Usage(spec).paths("--test", test));
        }
        return share() > 0 ? all.testPart(job.seed(), share()) : null;
    }
}
