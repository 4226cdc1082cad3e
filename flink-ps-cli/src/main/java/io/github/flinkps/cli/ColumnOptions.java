package io.github.flinkps.cli;

import io.github.flinkps.cli.job.JobOptions;
import io.github.flinkps.cli.job.RowsInput;
import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.flink.data.CsvFeature;
import io.github.flinkps.flink.data.CsvHeaders;
import io.github.flinkps.flink.data.CsvRecipe;
import io.github.flinkps.flink.data.FileRecipe;
import io.github.flinkps.flink.data.IdxRecipe;
import io.github.flinkps.flink.data.InputException;
import io.github.flinkps.flink.data.InputScan;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.LibffmFormat;
import io.github.flinkps.flink.data.LibffmRecipe;
import io.github.flinkps.flink.data.LibsvmFormat;
import io.github.flinkps.flink.data.LibsvmRecipe;
import io.github.flinkps.flink.data.NumericScale;
import io.github.flinkps.flink.data.NumericTransform;
import io.github.flinkps.flink.data.RowFormat;
import io.github.flinkps.flink.data.VwFormat;
import io.github.flinkps.flink.data.VwRecipe;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;

/** The options that say what becomes of the columns of training rows. */
final class ColumnOptions {
    private static final List<String> OF_CSV =
            List.of(
                    "--delimiter",
                    "--label",
                    "--numeric",
                    "--categorical",
                    "--cross",
                    "--weight",
                    "--missing");
    private static final List<String> TRANSFORMS =
            Arrays.stream(NumericTransform.values()).map(NumericTransform::option).toList();

    @Option(
            names = "--delimiter",
            paramLabel = "CHAR",
            defaultValue = ",",
            description = "csv: character between columns; \\t for a tab. Default: a comma.")
    private String delimiter;

    @Option(
            names = "--numeric",
            paramLabel = "COL",
            split = ",",
            description = "csv: columns of numbers. One without a value has a weight of its own.")
    private List<String> numeric;

    @Option(
            names = "--cross",
            paramLabel = "A*B",
            split = ",",
            description = "csv: columns whose values together are a category.")
    private List<String> crosses;

    @Option(
            names = "--missing",
            paramLabel = "TEXT",
            split = ",",
            description =
                    "csv: texts that mean that there is no value, as an empty one does. A row"
                            + " without a label is a bad one (see --on-bad-row).")
    private List<String> missing;

    private JobOptions.Columns columns;
    private int hashBits;

    @Option(
            names = "--numeric-transform",
            paramLabel = "NAME",
            defaultValue = "auto",
            description =
                    "Scaling of numbers. none: as they are. standard: to mean 0 and deviation 1;"
                            + " an index of libsvm that some rows lack is only scaled. log:"
                            + " log(1 + |x|), with the sign of x. bucket: the quantile, as a"
                            + " category. auto: with --tuning auto as standard, of the"
                            + " logarithms where a few numbers are far larger than the others,"
                            + " else as none."
                            + " For auto an index of libsvm that most rows have is 0 where it is"
                            + " absent. A rarer one is divided by its root mean square. What is"
                            + " measured for this is measured on the training rows, whatever"
                            + " their weights. Default: ${DEFAULT-VALUE}.")
    private String transform;

    @Option(
            names = "--buckets",
            paramLabel = "N",
            defaultValue = "32",
            description = "bucket: most quantiles of a column. Default: ${DEFAULT-VALUE}.")
    private int buckets;

    @Option(
            names = "--min-count",
            paramLabel = "N",
            defaultValue = "5",
            description =
                    "text: least number of times that a word occurs in the training rows; rarer"
                            + " words are left out. Default: ${DEFAULT-VALUE}.")
    private int minCount;

    void check(Usage usage, InputOptions format, String trainsOn, boolean hasInput) {
        for (String option : OF_CSV) {
            usage.require(hasInput || !usage.given(option), option + " goes with --input only");
        }
        transform = usage.choice("--numeric-transform", transform, TRANSFORMS);
        columns = CommandOptions.read(usage, JobOptions::columns);
        hashBits = CommandOptions.read(usage, JobOptions::hashBits);
        usage.between("--buckets", buckets, 2, 1024);
        if (trainsOn != null) {
            checkNoneIsGiven(usage, trainsOn);
        } else {
            checkFormat(usage, format);
        }
        usage.between("--min-count", minCount, 1, Integer.MAX_VALUE);
        usage.require(
                columns.labelValues().isEmpty() || hasInput,
                "--label-values goes with --input only");
        try {
            Labels.classes(Labels.MOST_CLASSES).named(labelNames());
        } catch (IllegalArgumentException e) {
            throw usage.refusal("--label-values: " + e.getMessage());
        }
        if (delimiter.equals("\\t")) {
            delimiter = "\t";
        }
        usage.require(
                delimiter.length() == 1 && CsvRecipe.isDelimiter(delimiter.charAt(0)),
                "--delimiter must be one character of ASCII, and no quote or end of line");
    }

    private void checkNoneIsGiven(Usage usage, String trainsOn) {
        for (String option : OF_CSV) {
            usage.require(
                    !usage.given(option),
                    option + " is that of " + trainsOn + ", and cannot be another");
        }
        usage.require(
                !usage.given("--numeric-transform")
                        && !usage.given("--hash-bits")
                        && !usage.given("--min-count")
                        && columns.labelValues().isEmpty(),
                "--numeric-transform, --hash-bits, --min-count and --label-values are those of "
                        + trainsOn
                        + ", and cannot be others");
    }

    private void checkFormat(Usage usage, InputOptions format) {
        boolean csv = format.isCsv();
        for (String option : OF_CSV) {
            usage.require(csv || !usage.given(option), option + " goes with --format csv only");
        }
        usage.require(csv || format.columns() == null, "--columns goes with --format csv only");
        boolean transforms = wanted() != NumericTransform.NONE && wanted() != NumericTransform.AUTO;
        usage.require(
                csv || format.isLibsvm() || !transforms,
                "--numeric-transform goes with --format csv or libsvm only");
        usage.require(
                format.isText() || !usage.given("--min-count"),
                "--min-count goes with --format text only");
        if (csv) {
            usage.require(
                    columns.label() != null, "--format csv needs --label, the column to learn");
            usage.require(
                    numeric != null || !columns.categorical().isEmpty() || crosses != null,
                    "--format csv needs --numeric, --categorical or --cross: the columns to learn"
                            + " from");
            usage.require(
                    numeric != null || !transforms,
                    "--numeric-transform goes with --numeric: no other column holds numbers");
        }
    }

    /** Returns the number of bits of the keys of features, where all are hashed. */
    int hashBits() {
        return hashBits;
    }

    /**
     * Returns how the rows of these options become a model's; reads the header, and the training
     * rows where their statistics are needed.
     *
     * @param fields of rows of libffm; 0 where they do not matter
     * @param auto whether numbers are scaled where nothing is said of them
     */
    FileRecipe recipe(
            Usage usage,
            InputOptions format,
            RowsInput training,
            Labels labels,
            int fields,
            boolean auto) {
        List<List<String>> names = labelNames();
        checkLabelValues(usage, labels);
        InputScan scan = training.scan(buckets);
        NumericTransform transformed =
                wanted() == NumericTransform.AUTO && !auto ? NumericTransform.NONE : wanted();
        try {
            if (format.isCsv()) {
                CsvRecipe draft = draft(usage, format, training, names);
                boolean known = labels.mostTexts() == 0 || !names.isEmpty();
                boolean plain = transformed == NumericTransform.NONE || draft.numeric().isEmpty();
                return plain && known ? draft : scan.complete(draft, transformed, labels);
            }
            if (format.isText()) {
                return scan.words(minCount);
            }
            if (format.isIdx()) {
                IdxRecipe plain = InputOptions.idx(training, true);
                return names.isEmpty()
                        ? scan.complete(plain, labels)
                        : plain.withLabelValues(names);
            }
            RowFormat rows =
                    format.isLibffm()
                            ? new LibffmFormat(Labels.ANY, fields)
                            : format.isVw()
                                    ? new VwFormat(Labels.ANY, hashBits)
                                    : LibsvmFormat.of(Labels.ANY);
            List<List<String>> named =
                    labels.named(names.isEmpty() ? scan.labels(rows, labels) : names).names();
            return format.isLibffm()
                    ? new LibffmRecipe(fields, named)
                    : format.isVw()
                            ? new VwRecipe(hashBits, named)
                            : libsvm(scan, transformed, labels.named(named));
        } catch (InputException e) {
            throw new CommandException("--input: " + e.getMessage(), e);
        }
    }

    private NumericTransform wanted() {
        return NumericTransform.valueOf(transform.toUpperCase(Locale.ROOT));
    }

    private LibsvmRecipe libsvm(InputScan scan, NumericTransform transformed, Labels labels)
            throws InputException {
        return switch (transformed) {
            case AUTO -> scan.scaled(labels, hashBits);
            case NONE -> LibsvmRecipe.PLAIN.withLabelValues(labels.names());
            case LOG -> LibsvmRecipe.LOGARITHMS.withLabelValues(labels.names());
            case STANDARD, BUCKET -> scan.complete(transformed, labels, hashBits);
        };
    }

    /** Checks that the algorithm has as many labels as are named. */
    private void checkLabelValues(Usage usage, Labels labels) {
        if (columns.labelValues().isEmpty()) {
            return;
        }
        usage.require(
                labels.mostTexts() > 0,
                "--label-values does not go with labels that are numbers, as those of this"
                        + " algorithm are");
        usage.require(
                columns.labelValues().size() <= labels.mostTexts(),
                "--label-values names "
                        + columns.labelValues().size()
                        + " labels; the algorithm has "
                        + labels.mostTexts()
                        + (labels.kind() == Labels.Kind.CLASS ? " --classes" : ""));
    }

    private CsvRecipe draft(
            Usage usage, InputOptions format, RowsInput training, List<List<String>> labelNames)
            throws InputException {
        List<String> given = format.columns();
        if (given != null) {
            String advice = "remove it, or leave out --columns";
            CsvHeaders.refuse(training.paths(), delimiter, training.encoding(), given, advice);
        }
        List<String> names =
                given == null
                        ? CsvHeaders.read(training.paths(), delimiter, training.encoding())
                        : given;
        List<CsvFeature> features = new ArrayList<>();
        for (String column : orNone(numeric)) {
            checkColumn(usage, "--numeric", column, names);
            features.add(CsvFeature.numeric(column, NumericScale.NONE));
        }
        for (String column : columns.categorical()) {
            checkColumn(usage, "--categorical", column, names);
            features.add(CsvFeature.categorical(column));
        }
        for (String cross : orNone(crosses)) {
            List<String> parts = List.of(cross.split("\\*"));
            usage.require(
                    parts.size() > 1,
                    "--cross must be columns with * between, such as a*b, not '" + cross + "'");
            parts.forEach(column -> checkColumn(usage, "--cross", column, names));
            features.add(CsvFeature.cross(parts));
        }
        checkColumn(usage, "--label", columns.label(), names);
        checkColumn(usage, "--weight", columns.weight(), names);
        try {
            return new CsvRecipe(
                    names,
                    given == null,
                    delimiter,
                    columns.label(),
                    labelNames,
                    columns.weight(),
                    features,
                    hashBits,
                    orNone(missing));
        } catch (IllegalArgumentException e) {
            throw usage.refusal((given == null ? "--input: " : "--columns: ") + e.getMessage());
        }
    }

    private static void checkColumn(Usage usage, String option, String column, List<String> names) {
        usage.require(
                column == null || names.contains(column),
                option + ": there is no column '" + column + "' among " + String.join(", ", names));
    }

    private List<List<String>> labelNames() {
        return columns.labelValues().stream().map(texts -> List.of(texts.split("\\|"))).toList();
    }

    private static List<String> orNone(List<String> given) {
        return given == null ? List.of() : given;
    }
}
