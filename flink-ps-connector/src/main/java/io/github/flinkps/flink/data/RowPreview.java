package io.github.flinkps.flink.data;

import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import org.apache.flink.api.connector.source.Source;

/** Reads rows of files before a job does. */
public final class RowPreview {
    private RowPreview() {}

    /**
     * Hands the rows of text files to {@code goesOn}, in their order, until it has seen enough. Bad
     * rows are skipped in silence: the job itself reports them.
     *
     * @throws InputException for an input that cannot be read
     */
    public static void scan(List<String> paths, RowFormat format, Predicate<RowBatch> goesOn)
            throws InputException {
        scan(paths, format, RowSelection.all(), goesOn);
    }

    /** Hands on those rows of text files that are selected, as the first method does. */
    static void scan(
            List<String> paths,
            RowFormat format,
            RowSelection selection,
            Predicate<RowBatch> goesOn)
            throws InputException {
        scan(TextSource.of(paths, new Lenient(format)).select(selection).build(), goesOn);
    }

    /**
     * Hands on the rows of a source in the same way; bad ones are its own affair.
     *
     * @param source one that a {@link RowRecipe} makes
     */
    public static void scan(Source<RowBatch, ?, ?> source, Predicate<RowBatch> goesOn)
            throws InputException {
        BlockSource blocks = (BlockSource) source;
        for (BlockSplit split : blocks.plan(1).get(0)) {
            try (BlockReader reader = blocks.open(split)) {
                for (PositionedBatch next = reader.next(); next != null; next = reader.next()) {
                    if (!goesOn.test(next.batch())) {
                        return;
                    }
                }
            } catch (InputException e) {
                throw e;
            } catch (IOException e) {
                throw new InputException(String.valueOf(e.getMessage()), e);
            }
        }
    }

    private record Lenient(RowFormat format) implements RowFormat {
        private static final long serialVersionUID = 1L;

        @Override
        public String name() {
            return format.name();
        }

        @Override
        public boolean header() {
            return format.header();
        }

        @Override
        public RowParser newParser() {
            RowParser parser = format.newParser();
            return (buffer, from, to, out) -> {
                try {
                    parser.parse(buffer, from, to, out);
                } catch (RowProblem e) {
                    out.abandonRow();
                }
            };
        }
    }
}
