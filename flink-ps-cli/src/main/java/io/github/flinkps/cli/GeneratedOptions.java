package io.github.flinkps.cli;

import io.github.flinkps.cli.generate.ClickLog;
import io.github.flinkps.cli.job.RowsInput;
import io.github.flinkps.flink.data.CsvFeature;
import io.github.flinkps.flink.data.CsvRecipe;
import io.github.flinkps.flink.data.NumericScale;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
                    "Without --input: rows of the click log that train; a tenth as many test."
                            + " Default: 200000.")
    private Long rows;

    @Option(
            names = "--interactions",
            description = "Without --input: let pairs of categories tell what each alone does not.")
    private boolean interactions;

    void check(Usage usage, boolean hasInput) {
        usage.require(
                !hasInput || rows == null && !interactions,
                "--rows and --interactions are for generated rows, and do not go with --input");
        if (rows != null) {
            usage.between("--rows", rows, 1, MOST_ROWS);
        }
    }

    /** The log, written if it is not there yet. */
    ClickLog log(long seed) {
        return ClickLog.of(
                ClickLog.cache(), rows == null ? DEFAULT_ROWS : rows, seed, interactions);
    }

    static RowsInput rows(Path file) {
        return RowsInput.files("generated rows", List.of(file.toString()), false);
    }

    /** Numbers by their logarithm, categories hashed. */
    CsvRecipe recipe(int hashBits) {
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
