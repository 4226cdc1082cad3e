package io.github.flinkps.cli.generate;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.flinkps.cli.CommandException;
import io.github.flinkps.flink.metrics.BinaryMetrics;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A log of clicks of a known model ({@link ClickModel}) as two files of CSV, written once and kept.
 *
 * @param train rows that train
 * @param test rows that test, a tenth as many
 * @param best what the model itself reaches on the rows that test
 */
public record ClickLog(Path train, Path test, Best best) {
    /** Raised when the rows of a seed become others. */
    private static final int VERSION = 2;

    private static final String TRAIN = "train.csv";
    private static final String TEST = "test.csv";
    private static final String BEST = "best.json";

    /**
     * What cannot be beaten but by chance.
     *
     * @param logloss of the true probabilities
     * @param auc of the true probabilities
     */
    public record Best(double logloss, double auc) {
        /** By their names in reports. */
        public Map<String, Double> measures() {
            return Map.of("logloss", logloss, "auc", auc);
        }
    }

    /** Columns of numbers. */
    public static List<String> numeric() {
        return names("I", ClickModel.NUMBERS);
    }

    /** Columns of categories. */
    public static List<String> categorical() {
        return names("C", ClickModel.CARDINALITIES.length);
    }

    /** The column that says whether there was a click. */
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

    /** Where logs are kept: {@code FLINK_PS_CACHE}, else {@code ~/.cache/flink-ps}. */
    public static Path cache() {
        String set = System.getenv("FLINK_PS_CACHE");
        return set != null && !set.isEmpty()
                ? Path.of(set)
                : Path.of(System.getProperty("user.home"), ".cache", "flink-ps");
    }

    /**
     * The log of a seed; written if it is not there yet.
     *
     * @param folder in which logs are kept
     * @param rows that train
     * @throws CommandException naming the folder if it cannot be written to
     */
    public static ClickLog of(Path folder, long rows, long seed, boolean interactions) {
        String name =
                "clicks-v" + VERSION + "-" + rows + "-" + seed + (interactions ? "-pairs" : "");
        Path directory = folder.resolve(name);
        try {
            if (!Files.exists(directory.resolve(BEST))) {
                write(directory, rows, seed, interactions);
            }
            Best best =
                    JsonMapper.builder()
                            .build()
                            .readValue(directory.resolve(BEST).toFile(), Best.class);
            return new ClickLog(directory.resolve(TRAIN), directory.resolve(TEST), best);
        } catch (IOException e) {
            throw new CommandException(
                    "cannot write the generated rows to "
                            + directory
                            + " ("
                            + e
                            + "): name a folder with room in FLINK_PS_CACHE",
                    e);
        }
    }

    private static void write(Path directory, long rows, long seed, boolean interactions)
            throws IOException {
        Files.createDirectories(directory.getParent());
        Path building = Files.createTempDirectory(directory.getParent(), ".clicks-");
        try {
            ClickModel model = new ClickModel(seed, interactions);
            write(building.resolve(TRAIN), model, 0, rows, null);
            BinaryMetrics metrics = new BinaryMetrics();
            write(building.resolve(TEST), model, rows, rows + Math.max(1, rows / 10), metrics);
            JsonMapper.builder()
                    .build()
                    .writeValue(
                            building.resolve(BEST).toFile(),
                            new Best(metrics.logloss(), metrics.auc()));
            Files.move(building, directory, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileAlreadyExistsException | java.nio.file.DirectoryNotEmptyException e) {
            // Another process has written the same rows meanwhile.
            delete(building);
        } catch (IOException | RuntimeException e) {
            delete(building);
            throw e;
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static void write(
            Path file, ClickModel model, long from, long to, BinaryMetrics metrics)
            throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
            StringBuilder line = new StringBuilder(label());
            numeric().forEach(name -> line.append(',').append(name));
            categorical().forEach(name -> line.append(',').append(name));
            write(out, line);
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
                write(out, line);
                if (metrics != null) {
                    metrics.add((float) model.probability(), model.clicked() ? 1 : 0, 1);
                }
            }
        }
    }

    private static void write(OutputStream out, StringBuilder line) throws IOException {
        out.write(line.append('\n').toString().getBytes(StandardCharsets.ISO_8859_1));
    }
}
