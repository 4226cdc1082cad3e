package io.github.flinkps.cli;

import io.github.flinkps.cli.job.RowsInput;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;

/** How rows are read. */
final class InputOptions {
    private static final List<String> FORMATS = List.of("libsvm");
    private static final List<String> BAD_ROW = List.of("fail", "skip");

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "libsvm",
            description =
                    "Format of the rows: libsvm (label index:value ..; labels 0/1 or -1/+1), plain"
                            + " or gzip. As in XGBoost label:weight gives the row a weight, for"
                            + " which the first entry is taken where the label is missing."
                            + " Default: ${DEFAULT-VALUE}.")
    private String format;

    @Option(
            names = "--on-bad-row",
            paramLabel = "ACTION",
            defaultValue = "fail",
            description =
                    "What to do with a row that cannot be read: fail, or skip and count."
                            + " Default: ${DEFAULT-VALUE}.")
    private String onBadRow;

    void check(Usage usage) {
        usage.choice("--format", format, FORMATS);
        usage.choice("--on-bad-row", onBadRow, BAD_ROW);
    }

    /** All rows of files and folders. */
    RowsInput files(String option, List<String> paths) {
        return RowsInput.files(option, paths, onBadRow.toLowerCase(Locale.ROOT).equals("skip"));
    }
}
