package io.github.flinkps.cli.job;

import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.flink.algorithm.FieldAwareFactorizationMachine;
import io.github.flinkps.flink.algorithm.ModelOption;
import io.github.flinkps.flink.algorithm.RowShape;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.algorithm.TrainingModels;
import io.github.flinkps.flink.data.FileRecipe;
import io.github.flinkps.flink.data.InputException;
import io.github.flinkps.flink.data.InputScan;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.LibsvmFormat;
import io.github.flinkps.flink.data.LibsvmRecipe;
import io.github.flinkps.flink.data.OnBadRow;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchTypeInfo;
import io.github.flinkps.flink.data.RowFormat;
import io.github.flinkps.flink.data.RowPreview;
import io.github.flinkps.flink.data.RowSample;
import io.github.flinkps.flink.data.RowSelection;
import io.github.flinkps.flink.data.TextFile;
import io.github.flinkps.flink.data.TextInput;
import io.github.flinkps.flink.data.TextRecipe;
import io.github.flinkps.flink.data.TextSource;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The rows of files that a command works on, or a part of them.
 *
 * @param option that names them, for messages
 * @param paths files and folders
 * @param skipBadRows whether rows that cannot be read are left out
 * @param encoding of text
 * @param selection the part
 * @param recipe how rows become a model's
 */
public record RowsInput(
        String option,
        List<String> paths,
        boolean skipBadRows,
        Charset encoding,
        RowSelection selection,
        FileRecipe recipe) {
    private static final long SMALL_BYTES = 1 << 20;

    /** Rows of any number of entries. */
    public static final int ANY = -1;

    private static final String FIELDS = "fields";
    private static final String FIELD_KEYS = FieldAwareFactorizationMachine.FIELD_KEYS.name();

    public static RowsInput files(String option, List<String> paths, boolean skipBadRows) {
        return files(option, paths, skipBadRows, StandardCharsets.UTF_8);
    }

    /** Returns all rows of files and folders, plain libsvm until a recipe says more. */
    public static RowsInput files(
            String option, List<String> paths, boolean skipBadRows, Charset encoding) {
        return new RowsInput(
                option,
                List.copyOf(paths),
                skipBadRows,
                encoding,
                RowSelection.all(),
                LibsvmRecipe.PLAIN);
    }

    /** Returns the part of these rows that is trained on when {@code share} of them test. */
    public RowsInput trainPart(long seed, double share) {
        return part(RowSelection.train(seed, share));
    }

    /** Returns the test rows among these rows. */
    public RowsInput testPart(long seed, double share) {
        return part(RowSelection.test(seed, share));
    }

    /** Returns the same rows, a share of which validates: {@link #scan} leaves those out. */
    public RowsInput withValidation(double share) {
        return part(selection.withValidation(share));
    }

    private RowsInput part(RowSelection rows) {
        return new RowsInput(option, paths, skipBadRows, encoding, rows, recipe);
    }

    /** Returns the same rows, read another way. */
    public RowsInput withRecipe(FileRecipe other) {
        return new RowsInput(option, paths, skipBadRows, encoding, selection, other);
    }

    /** Returns a pass over these rows before they train. */
    public InputScan scan(int buckets) {
        return new InputScan(paths, selection, onBadRow(), encoding, buckets);
    }

    private OnBadRow onBadRow() {
        return skipBadRows ? OnBadRow.SKIP : OnBadRow.FAIL;
    }

    /** Returns the paths of the rows, separated by commas, for people. */
    public String describe() {
        return String.join(", ", paths);
    }

    /**
     * Looks whether there is anything to read, before any work is done.
     *
     * @throws CommandException naming what is missing or empty
     */
    public void check() {
        try {
            TextInput.list(paths);
        } catch (InputException e) {
            throw new CommandException(option + ": " + e.getMessage(), e);
        }
    }

    /**
     * Returns whether there are so few rows that one worker scores them sooner than several begin;
     * its sums add up in one order, so that they are the same in every run.
     */
    boolean isSmall() {
        try {
            return TextInput.list(paths).stream().mapToLong(TextFile::length).sum() < SMALL_BYTES;
        } catch (InputException e) {
            return false; // of images, or what cannot be read is said where it is
        }
    }

    /**
     * Returns whether a path leads to one of the files; of those that are there, see {@link
     * #check}.
     */
    public boolean contains(Path file) {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try {
            return TextInput.list(paths).stream()
                    .map(each -> each.path().toUri())
                    .filter(uri -> "file".equals(uri.getScheme()))
                    .anyMatch(uri -> SavedModel.isSame(file, Path.of(uri.getPath())));
        } catch (InputException e) {
            throw new CommandException(option + ": " + e.getMessage(), e);
        }
    }

    /**
     * Returns whether a file that is written now would be read as one of them, as it is in a
     * folder.
     */
    public boolean wouldContain(Path file) {
        return paths.stream()
                .map(each -> TextInput.path(each).toUri())
                .filter(uri -> uri.getScheme() == null || uri.getScheme().equals("file"))
                .map(uri -> Path.of(uri.getPath()))
                .anyMatch(folder -> Files.isDirectory(folder) && isIn(folder, file));
    }

    private static boolean isIn(Path folder, Path file) {
        try {
            Path above = file.toAbsolutePath().getParent();
            while (above != null && !Files.exists(above)) {
                above = above.getParent();
            }
            return above != null && above.toRealPath().startsWith(folder.toRealPath());
        } catch (IOException e) {
            return false; // gone meanwhile, or not to be seen
        }
    }

    /** Returns the failure of a command that has found no row in them. */
    CommandException noRows() {
        return new CommandException(option + ": " + describe() + " holds no rows");
    }

    /** Returns how many entries an algorithm wants of each row, or {@link #ANY}. */
    public static int entries(String algorithm, Map<String, String> options) {
        return switch (shape(algorithm)) {
            case ANY, SEQUENCE -> ANY;
            case PAIR -> 2;
            case FIELDS ->
                    Boolean.parseBoolean(options.get(FIELD_KEYS))
                            ? ANY
                            : Integer.parseInt(options.get(FIELDS));
        };
    }

    private static RowShape shape(String algorithm) {
        return TrainingModels.factory(algorithm).rowShape();
    }

    /** Returns whether an algorithm takes rows of any entries. */
    public static boolean areAny(String algorithm) {
        return shape(algorithm) == RowShape.ANY;
    }

    /** Returns the fields of an algorithm whose keys tell them, 0 if they do not. */
    public static int fieldsOfKeys(String algorithm, Map<String, String> options) {
        boolean told = Boolean.parseBoolean(options.get(FIELD_KEYS));
        return told && shape(algorithm) == RowShape.FIELDS
                ? Integer.parseInt(options.get(FIELDS))
                : 0;
    }

    /** Returns whether the rows of an algorithm are words in their order. */
    public static boolean areWords(String algorithm) {
        return shape(algorithm) == RowShape.SEQUENCE;
    }

    /** Returns what wants them, for messages. */
    public static String entriesOf(String algorithm, Map<String, String> options) {
        return shape(algorithm) == RowShape.PAIR
                ? "--algorithm " + algorithm
                : "--" + FIELDS + " " + options.get(FIELDS);
    }

    DataStream<RowBatch> open(
            StreamExecutionEnvironment environment,
            TrainingModel model,
            Labels labels,
            int readers) {
        return environment
                .fromSource(
                        source(model, labels),
                        WatermarkStrategy.noWatermarks(),
                        "rows",
                        RowBatchTypeInfo.INSTANCE)
                .setParallelism(readers);
    }

    /**
     * Draws rows of those that train, as the model sees them.
     *
     * @throws CommandException for an input that cannot be read
     */
    public RowSample sample(TrainingModel model, int most, long seed) {
        try {
            RowsInput training = part(selection.withoutValidating());
            return RowSample.of(training.source(model, model.labels()), most, seed);
        } catch (InputException e) {
            throw new CommandException(option + ": " + e.getMessage(), e);
        }
    }

    /**
     * Hands on all rows as the model sees them.
     *
     * @param goesOn returns whether it wants more
     * @throws CommandException for an input that cannot be read
     */
    public void scan(TrainingModel model, Predicate<RowBatch> goesOn) {
        try {
            RowPreview.scan(source(model, model.labels()), goesOn);
        } catch (InputException e) {
            throw new CommandException(option + ": " + e.getMessage(), e);
        }
    }

    private Source<RowBatch, ?, ?> source(TrainingModel model, Labels labels) {
        RowFormat format = format(model, labels);
        return format == null
                ? recipe.source(paths, selection, onBadRow(), labels, features(model))
                : TextSource.of(paths, format).select(selection).onBadRow(onBadRow()).build();
    }

    /** Returns how a model's rows are read from lines of text; null for files of another kind. */
    RowFormat format(TrainingModel model, Labels labels) {
        if (!(recipe instanceof TextRecipe text)) {
            return null;
        }
        RowFormat format = text.rowFormat(labels, features(model)).decoded(encoding);
        Map<String, String> options = model.options();
        int entries = entries(model.name(), options);
        RowShape shape = shape(model.name());
        boolean ones = shape == RowShape.PAIR || shape == RowShape.SEQUENCE;
        if (entries == ANY && !ones || !(recipe instanceof LibsvmRecipe)) {
            return format;
        }
        String why =
                entries == ANY ? "--algorithm " + model.name() : entriesOf(model.name(), options);
        long firstItem = Long.parseLong(options.getOrDefault("first-item", "0"));
        long items = Long.parseLong(options.getOrDefault("items", "0"));
        return new FixedEntries(format, entries, why, ones, firstItem, items);
    }

    /** Returns the number that indices are below. */
    private static long features(TrainingModel model) {
        String features = model.options().get(ModelOption.FEATURES.name());
        if (features != null) {
            return Long.parseLong(features);
        }
        String bits = model.options().getOrDefault(ModelOption.KEY_BITS.name(), "64");
        int shift = Integer.parseInt(bits);
        return shift < Long.SIZE - 1 ? 1L << shift : LibsvmFormat.ANY_INDEX;
    }

    /** Returns whether these are all rows of the files. */
    boolean isWhole() {
        return selection.equals(RowSelection.all());
    }
}
