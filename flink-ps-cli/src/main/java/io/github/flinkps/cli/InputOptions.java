package io.github.flinkps.cli;

import io.github.flinkps.cli.job.JobOptions;
import io.github.flinkps.cli.job.RowsInput;
import io.github.flinkps.cli.job.SavedModel;
import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.flink.data.CsvHeaders;
import io.github.flinkps.flink.data.CsvRecipe;
import io.github.flinkps.flink.data.FileRecipe;
import io.github.flinkps.flink.data.IdxRecipe;
import io.github.flinkps.flink.data.InputException;
import io.github.flinkps.flink.data.KnownIndices;
import io.github.flinkps.flink.data.LibffmFormat;
import io.github.flinkps.flink.data.LibsvmRecipe;
import io.github.flinkps.flink.data.OnBadRow;
import io.github.flinkps.flink.data.RowFormat;
import io.github.flinkps.flink.data.RowRecipe;
import io.github.flinkps.flink.data.TableRecipe;
import io.github.flinkps.flink.data.VwFormat;
import io.github.flinkps.flink.data.WordsRecipe;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The options that say how rows are read. */
final class InputOptions {
    private static final List<String> FORMATS =
            List.of("libsvm", LibffmFormat.NAME, VwFormat.NAME, "csv", "idx", WordsRecipe.FORMAT);
    private static final List<String> BAD_ROW =
            Stream.of(OnBadRow.values())
                    .map(action -> action.name().toLowerCase(Locale.ROOT))
                    .toList();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description =
                    "Format of the rows, plain or gzip. libsvm: label index:value .., one row a"
                        + " line. As in XGBoost, label:weight gives the row a weight; where the"
                        + " label is missing, the first entry is taken for it. libffm: label"
                        + " field:index:value ... vw: the text of Vowpal Wabbit. csv: one row a"
                        + " line; fields may be quoted. Parquet is read as csv. idx: MNIST's files,"
                        + " one of rows and one of labels, or a folder of both. text: plain words,"
                        + " for skip-gram. Default: libsvm, or that of the model.")
    private String format;

    @Option(
            names = "--columns",
            paramLabel = "COL",
            split = ",",
            description =
                    "csv: the names of the columns, for files whose first line does not name them.")
    private List<String> columns;

    @Option(
            names = "--encoding",
            paramLabel = "NAME",
            defaultValue = "UTF-8",
            description =
                    "Encoding of the text, such as windows-1252; any that contains ASCII. Default:"
                            + " ${DEFAULT-VALUE}.")
    private String encoding;

    private boolean skipsBadRows;

    void check(Usage usage) {
        if (format != null) {
            format = usage.choice("--format", format, FORMATS);
        }
        Object onBadRow = usage.value("--on-bad-row");
        if (onBadRow != null) {
            usage.choice("--on-bad-row", onBadRow.toString(), BAD_ROW);
        }
        skipsBadRows = CommandOptions.read(usage, JobOptions::skipsBadRows);
        usage.require(isRead(encoding), "--encoding " + encoding + " is none that can be read");
        usage.require(
                !isIdx() || !usage.given("--encoding"), "--encoding does not go with --format idx");
        usage.require(
                columns == null || isCsv() || format == null,
                "--columns goes with --format csv only");
    }

    private static boolean isRead(String encoding) {
        try {
            return RowFormat.isRead(Charset.forName(encoding));
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            return false;
        }
    }

    /** Returns the name of the format if it was typed, else null. */
    String name() {
        return format;
    }

    boolean isCsv() {
        return "csv".equals(format);
    }

    boolean isLibffm() {
        return LibffmFormat.NAME.equals(format);
    }

    boolean isVw() {
        return VwFormat.NAME.equals(format);
    }

    /** Returns whether the rows have entries by index, whose values can be scaled. */
    boolean isLibsvm() {
        return format == null || format.equals("libsvm");
    }

    boolean isText() {
        return WordsRecipe.FORMAT.equals(format);
    }

    boolean isIdx() {
        return "idx".equals(format);
    }

    /** Returns the names of the columns if they were typed, else null. */
    List<String> columns() {
        return columns;
    }

    /** Returns all rows of files and folders, plain libsvm until a recipe says more. */
    RowsInput files(String option, List<String> paths) {
        return RowsInput.files(option, paths, skipsBadRows, Charset.forName(encoding));
    }

    /**
     * Returns the rows as a saved model wants them.
     *
     * @param labelled whether they must have labels; if not, nobody looks at those of CSV, nor at
     *     weights
     */
    RowsInput files(
            Usage usage, String option, List<String> paths, SavedModel model, boolean labelled) {
        RowsInput rows = files(option, paths);
        FileRecipe recipe = recipe(model);
        usage.require(
                columns == null || recipe instanceof CsvRecipe,
                "--columns goes with a model that was trained on csv only");
        if (format != null && recipe != null && !recipe.format().equals(format)) {
            throw new CommandException(
                    "--format " + format + ": the model was trained on " + recipe.format());
        }
        if (recipe instanceof CsvRecipe csv) {
            return rows.withRecipe(fit(csv, rows, labelled));
        }
        if (recipe instanceof IdxRecipe || isIdx()) {
            IdxRecipe own = idx(rows, labelled);
            if (recipe == null) {
                return rows.withRecipe(own);
            }
            int features = ((IdxRecipe) recipe).features();
            if (features != own.features()) {
                throw new CommandException(
                        option
                                + ": rows of "
                                + own.features()
                                + " values; the model was trained on rows of "
                                + features);
            }
            return rows.withRecipe(recipe);
        }
        if (isCsv()) {
            throw new CommandException("--format csv: the model was not trained on columns");
        }
        if (isText() && recipe == null) {
            throw new CommandException("--format text: the model was not trained on words");
        }
        if (recipe == null && !isLibsvm()) {
            throw new CommandException(
                    "--format " + format + ": the model was trained on rows of another kind");
        }
        return recipe == null ? rows : rows.withRecipe(recipe);
    }

    /** Returns how rows of files become a model's, or null if that is not known. */
    private static FileRecipe recipe(SavedModel model) {
        RowRecipe recipe = model.recipe();
        if (recipe instanceof TableRecipe table) {
            throw new CommandException(
                    "the model in "
                            + model.directory()
                            + " was trained by SQL on rows of a table ("
                            + table.columns().stream()
                                    .map(TableRecipe.Column::name)
                                    .collect(Collectors.joining(", "))
                            + "), which no file holds as it was trained: use it in SQL");
        }
        return (FileRecipe) recipe;
    }

    /** Makes sure that rows are of features that the model was trained on, where it tells. */
    static void checkFeatures(RowsInput rows) {
        if (rows.recipe() instanceof LibsvmRecipe libsvm) {
            try {
                KnownIndices.check(rows.paths(), libsvm);
            } catch (InputException e) {
                throw new CommandException(rows.option() + ": " + e.getMessage(), e);
            }
        }
    }

    /** Returns how files of the format idx become rows. */
    static IdxRecipe idx(RowsInput rows, boolean labelled) {
        try {
            return IdxRecipe.of(rows.paths(), labelled);
        } catch (InputException e) {
            throw new CommandException(rows.option() + ": " + e.getMessage(), e);
        }
    }

    /** Returns the model's columns, where these files have them. */
    FileRecipe fit(CsvRecipe model, RowsInput rows, boolean labelled) {
        try {
            boolean named = columns == null && model.header();
            List<String> names =
                    named
                            ? CsvHeaders.read(rows.paths(), model.delimiter(), rows.encoding())
                            : columns != null ? columns : model.columns();
            if (!named) {
                String advice = "remove it" + (model.header() ? ", or leave out --columns" : "");
                CsvHeaders.refuse(rows.paths(), model.delimiter(), rows.encoding(), names, advice);
            }
            return (labelled ? model : model.withoutLabel()).withColumns(names, columns == null);
        } catch (InputException e) {
            throw new CommandException(rows.option() + ": " + e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            String place = columns == null ? rows.describe() : "--columns";
            throw new CommandException(rows.option() + ": " + place + ": " + e.getMessage(), e);
        }
    }
}
