package io.github.flinkps.cli.generate;

import io.github.flinkps.flink.metrics.BinaryMetrics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A log of clicks of a known model ({@link ClickModel}) as files of CSV. */
public final class ClickLog {
    /** The version of the rows, which is raised when those of a seed become others. */
    private static final int VERSION = 2;

    private ClickLog() {}

    /** Returns the names of the columns of numbers. */
    public static List<String> numeric() {
        return names("I", ClickModel.NUMBERS);
    }

    /** Returns the names of the columns of categories. */
    public static List<String> categorical() {
        return names("C", ClickModel.CARDINALITIES.length);
    }

    /** Returns the column that says whether there was a click. */
    public static String label() {
        return "clicked";
    }

    private static List<String> names(String prefix, int count) {
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            names.add(prefix + i);
        }
        return names;
    }

    /**
     * Returns the log of a seed; written if it is not there yet.
     *
     * @param folder in which logs are kept
     * @param rows training rows; test rows are a tenth as many
     * @throws io.github.flinkps.cli.run.CommandException naming the folder if it cannot be written
     *     to
     */
    public static GeneratedRows of(Path folder, long rows, long seed, boolean interactions) {
        return GeneratedRows.of(
                folder,
                "clicks-v" + VERSION + "-" + rows + "-" + seed + (interactions ? "-pairs" : ""),
                "csv",
                (train, test) -> {
                    ClickModel model = new ClickModel(seed, interactions);
                    write(train, model, 0, rows, null);
                    BinaryMetrics metrics = new BinaryMetrics();
                    write(test, model, rows, rows + Math.max(1, rows / 10), metrics);
                    return Map.of("logloss", metrics.logloss(), "auc", metrics.auc());
                });
    }

    private static void write(
            Path file, ClickModel model, long from, long to, BinaryMetrics metrics)
            throws IOException {
        try (GeneratedRows.Lines lines = new GeneratedRows.Lines(file)) {
            StringBuilder line = new StringBuilder(label());
            numeric().forEach(name -> line.append(',').append(name));
            categorical().forEach(name -> line.append(',').append(name));
            lines.write(line);
            for (long row = from; row < to; row++) {
                model.make(row);
                line.setLength(0);
                line.append(model.clicked() ? '1' : '0');
                for (int number : model.numbers) {
                    line.append(',');
                    if (number >= 0) {
                        line.append(number);
                    }
                }
                for (int category : model.categories) {
                    line.append(',');
                    if (category >= 0) {
                        line.append(Integer.toHexString(category));
                    }
                }
                lines.write(line);
                if (metrics != null) {
                    metrics.add((float) model.probability(), model.clicked() ? 1 : 0, 1);
                }
            }
        }
    }
}
