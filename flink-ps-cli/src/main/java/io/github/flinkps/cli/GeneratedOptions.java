package io.github.flinkps.cli;

import io.github.flinkps.cli.generate.ClickLog;
import io.github.flinkps.cli.generate.GeneratedRows;
import io.github.flinkps.cli.generate.RatingLog;
import io.github.flinkps.cli.job.Algorithms;
import io.github.flinkps.cli.job.RowsInput;
import io.github.flinkps.flink.algorithm.RowShape;
import io.github.flinkps.flink.algorithm.TrainingModels;
import io.github.flinkps.flink.data.CsvFeature;
import io.github.flinkps.flink.data.CsvRecipe;
import io.github.flinkps.flink.data.FileRecipe;
import io.github.flinkps.flink.data.LibsvmRecipe;
import io.github.flinkps.flink.data.NumericScale;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import picocli.CommandLine.Option;

/** The rows to train on when no others are named. */
final class GeneratedOptions {
    /** Options that say something of rows of the user's own. */
    static final List<String> FOR_INPUT =
            List.of(
                    "--test",
                    "--test-share",
                    "--format",
                    "--columns",
                    "--on-bad-row",
                    "--numeric-transform");

    private static final long DEFAULT_ROWS = 200_000;
    private static final long MOST_ROWS = 1_000_000_000;

    @Option(
            names = "--rows",
            paramLabel = "N",
            description =
                    "Without --input: generated training rows; test rows are a tenth as many."
                            + " Default:"
                            + " 200000.")
    private Long rows;

    @Option(
            names = "--interactions",
            description =
                    "Without --input: clicks that depend on pairs of categories, beyond what each"
                            + " alone tells.")
    private boolean interactions;

    void check(Usage usage, boolean hasInput) {
        usage.require(
                !hasInput || rows == null && !interactions,
                "--rows and --interactions are for generated rows, and do not go with --input");
        if (rows != null) {
            usage.between("--rows", rows, 1, MOST_ROWS);
        }
    }

    /**
     * Returns the generated rows that suit an algorithm, and writes them if they are not there yet.
     *
     * @throws picocli.CommandLine.ParameterException for options of another log
     */
    GeneratedRows log(Usage usage, String algorithm, long seed) {
        long count = rows == null ? DEFAULT_ROWS : rows;
        if (isOfRatings(algorithm)) {
            usage.require(!interactions, "--interactions does not go with " + algorithm);
            return RatingLog.of(GeneratedRows.cache(), count, seed);
        }
        return ClickLog.of(GeneratedRows.cache(), count, seed, interactions);
    }

    /** Refuses an algorithm that cannot learn from them: one that does not look at labels. */
    void checkAlgorithm(Usage usage, String algorithm) {
        TreeSet<String> able = new TreeSet<>(Algorithms.names());
        able.removeIf(name -> !TrainingModels.factory(name).learnsLabels());
        usage.require(
                able.contains(algorithm),
                "--algorithm "
                        + algorithm
                        + " cannot learn from generated rows: give --input, or one of "
                        + String.join(", ", able));
    }

    static boolean isOfRatings(String algorithm) {
        return TrainingModels.factory(algorithm).rowShape() == RowShape.PAIR;
    }

    static RowsInput rows(Path file) {
        return RowsInput.files("generated rows", List.of(file.toString()), false);
    }

    /** Returns how rows are read: ratings as they are; clicks by logarithms and hashes. */
    FileRecipe recipe(String algorithm, int hashBits) {
        if (isOfRatings(algorithm)) {
            return LibsvmRecipe.PLAIN;
        }
        List<String> columns = new ArrayList<>(List.of(ClickLog.label()));
        columns.addAll(ClickLog.numeric());
        columns.addAll(ClickLog.categorical());
        List<CsvFeature> features = new ArrayList<>();
        for (String column : ClickLog.numeric()) {
            features.add(CsvFeature.numeric(column, NumericScale.LOG));
        }
        ClickLog.categorical().forEach(column -> features.add(CsvFeature.categorical(column)));
        return new CsvRecipe(
                columns,
                true,
                ",",
                ClickLog.label(),
                List.of(),
                null,
                features,
                hashBits,
                List.of());
    }
}
