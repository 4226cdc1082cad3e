package io.github.flinkps.cli.generate;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.cli.run.RunScope;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rows of a known model as two files, written once and kept.
 *
 * @param train rows to train with
 * @param test rows to test with
 * @param best what the model itself reaches on the test rows, by the names of measures: what cannot
 *     be beaten but by chance
 */
public record GeneratedRows(Path train, Path test, Map<String, Double> best) {
    private static final Logger LOG = LoggerFactory.getLogger(GeneratedRows.class);
    private static final String KEPT = "rows.json";

    public GeneratedRows {
        best = Map.copyOf(best);
    }

    /** The notes on files that are complete, with sizes in bytes. */
    private record Kept(Map<String, Double> best, long trainBytes, long testBytes) {
        static Kept of(Path train, Path test, Map<String, Double> best) throws IOException {
            return new Kept(best, Files.size(train), Files.size(test));
        }
    }

    /** Writes the rows. */
    interface Maker {
        /** Returns what is best. */
        Map<String, Double> write(Path train, Path test) throws IOException;
    }

    /** Returns the folder of all rows: {@code FLINK_PS_CACHE}, else {@code ~/.cache/flink-ps}. */
    public static Path cache() {
        String set = System.getenv("FLINK_PS_CACHE");
        return set != null && !set.isEmpty()
                ? Path.of(set)
                : Path.of(System.getProperty("user.home"), ".cache", "flink-ps");
    }

    /**
     * Returns the rows of a name; written if they are not there yet.
     *
     * @param folder in which rows are kept
     * @param suffix of the files
     * @throws CommandException naming the folder if it cannot be written to
     */
    static GeneratedRows of(Path folder, String name, String suffix, Maker maker) {
        Path directory = folder.resolve(name);
        String train = "train." + suffix;
        String test = "test." + suffix;
        JsonMapper json = JsonMapper.builder().build();
        try {
            Map<String, Double> best = best(directory, train, test, json);
            if (best == null) {
                write(directory, train, test, maker, json);
                best = best(directory, train, test, json);
            }
            if (best == null) {
                throw new IOException("they are gone");
            }
            return new GeneratedRows(directory.resolve(train), directory.resolve(test), best);
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

    /**
     * Returns what is best of rows that are there; null if a file is missing, cut short or
     * unreadable.
     */
    private static Map<String, Double> best(
            Path directory, String train, String test, JsonMapper json) {
        try {
            Kept kept = json.readValue(directory.resolve(KEPT).toFile(), Kept.class);
            Path rows = directory.resolve(train);
            return kept.equals(Kept.of(rows, directory.resolve(test), kept.best))
                    ? kept.best
                    : null;
        } catch (IOException e) {
            LOG.debug("Writing rows anew", e);
            return null;
        }
    }

    private static void write(
            Path directory, String train, String test, Maker maker, JsonMapper json)
            throws IOException {
        Files.createDirectories(directory.getParent());
        try (RunScope scope = new RunScope()) {
            Path building = scope.temporaryFolderIn(directory.getParent());
            Path rows = building.resolve(train);
            Path others = building.resolve(test);
            Kept kept = Kept.of(rows, others, maker.write(rows, others));
            json.writeValue(building.resolve(KEPT).toFile(), kept);
            if (Files.exists(directory) && best(directory, train, test, json) == null) {
                Path damaged = scope.temporaryFolderIn(directory.getParent());
                Files.move(directory, damaged.resolve("damaged"));
            }
            scope.commit(() -> Files.move(building, directory, StandardCopyOption.ATOMIC_MOVE));
        } catch (FileAlreadyExistsException | DirectoryNotEmptyException e) {
            LOG.debug("Another process has written the same rows meanwhile", e);
        }
    }

    /** Writes lines to a file. */
    static final class Lines implements AutoCloseable {
        private final OutputStream out;

        Lines(Path file) throws IOException {
            this.out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16);
        }

        /** Ends the line and writes it. */
        void write(StringBuilder line) throws IOException {
            out.write(line.append('\n').toString().getBytes(StandardCharsets.ISO_8859_1));
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }
}
