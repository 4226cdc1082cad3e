package io.github.flinkps.flink.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextBlockReaderTest {
    private static final RowFormat FORMAT = LibsvmFormat.of(Labels.BINARY);

    @TempDir Path folder;

    private static BlockSplit split(TextFile file, int blockSize, int step, int share) {
        return new BlockSplit("s", file, blockSize, step, share, -1, 0);
    }

    private static TextBlockReader reader(BlockSplit split) {
        return new TextBlockReader(split, FORMAT, RowSelection.all(), OnBadRow.FAIL);
    }

    private static List<String> byBlock(TextFile file, int blockSize, int shares)
            throws IOException {
        List<PositionedBatch> batches = new ArrayList<>();
        for (int share = 0; share < shares; share++) {
            try (TextBlockReader reader = reader(split(file, blockSize, shares, share))) {
                for (PositionedBatch b = reader.next(); b != null; b = reader.next()) {
                    assertThat(b.batch().block() % shares).isEqualTo(share);
                    batches.add(b);
                }
            }
        }
        batches.sort(
                (a, b) -> {
                    int order = Long.compare(a.batch().block(), b.batch().block());
                    return order != 0 ? order : a.batch().firstRow() - b.batch().firstRow();
                });
        List<String> rows = new ArrayList<>();
        batches.forEach(b -> rows.addAll(Rows.of(b.batch())));
        return rows;
    }

    @Test
    void passesOverAByteOrderMark() throws IOException {
        String text = "\uFEFF1 1:1\n0 2:1\n";
        TextFile plain = Rows.file(folder.resolve("plain"), text);
        Path gzip = folder.resolve("packed");
        Files.write(gzip, Rows.gzip(text.getBytes(StandardCharsets.UTF_8)));
        for (int blockSize : new int[] {1, 2, 4, 100}) {
            assertThat(byBlock(plain, blockSize, 2)).containsExactly("1.0 1:1.0", "0.0 2:1.0");
            assertThat(byBlock(Rows.file(gzip), blockSize, 2))
                    .containsExactly("1.0 1:1.0", "0.0 2:1.0");
        }
    }

    @Test
    void givesTheSameRowsWhateverTheBlocks() throws IOException, RowProblem {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String text = Rows.randomText(random, 25);
        List<String> expected = Rows.parse(text, FORMAT);
        TextFile plain = Rows.file(folder.resolve("plain"), text);
        Path gzip = folder.resolve("packed");
        Files.write(gzip, Rows.gzip(text.getBytes(StandardCharsets.UTF_8)));
        TextFile packed = Rows.file(gzip);
        assertThat(packed.packed()).isTrue();
        for (int blockSize = 1; blockSize <= text.length() + 1; blockSize++) {
            for (int shares = 1; shares <= 3; shares++) {
                String what =
                        "block size %d, %d shares, seed %d".formatted(blockSize, shares, seed);
                assertThat(byBlock(plain, blockSize, shares)).as(what).isEqualTo(expected);
                if (blockSize % 5 == shares) {
                    assertThat(byBlock(packed, blockSize, shares))
                            .as("gzip, " + what)
                            .isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void readsFilesLargerThanItsBuffer() throws IOException, RowProblem {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String text =
                Rows.randomText(random, 20_000) + "\n1 " + "3:1 ".repeat(1) + longRow() + "\n1 1:1";
        List<String> expected = Rows.parse(text, FORMAT);
        TextFile plain = Rows.file(folder.resolve("plain"), text);
        Path gzip = folder.resolve("packed");
        Files.write(gzip, Rows.gzip(text.getBytes(StandardCharsets.UTF_8)));
        for (int blockSize : new int[] {1000, 1 << 16, 1 << 20}) {
            for (int shares : new int[] {1, 2, 5}) {
                String what =
                        "block size %d, %d shares, seed %d".formatted(blockSize, shares, seed);
                assertThat(byBlock(plain, blockSize, shares).equals(expected)).as(what).isTrue();
                assertThat(byBlock(Rows.file(gzip), blockSize, shares).equals(expected))
                        .as(what)
                        .isTrue();
            }
        }
    }

    /** Entries of 300 KB: longer than the buffer at first. */
    private static String longRow() {
        StringBuilder text = new StringBuilder();
        for (int i = 10; text.length() < 300_000; i++) {
            text.append(i).append(":0.25 ");
        }
        return text.toString();
    }

    @Test
    void goesOnWhereASplitWasLeft() throws IOException, RowProblem {
        long seed = System.nanoTime();
        String text = Rows.randomText(new Random(seed), 9_000);
        List<String> expected = Rows.parse(text, FORMAT);
        TextFile file = Rows.file(folder.resolve("rows"), text);
        for (int blockSize : new int[] {700, 1 << 20}) {
            BlockSplit split = split(file, blockSize, 1, 0);
            List<String> rows = new ArrayList<>();
            int batches = 0;
            while (split != null) {
                try (TextBlockReader reader = reader(split)) {
                    PositionedBatch next = reader.next();
                    if (next == null) {
                        break;
                    }
                    rows.addAll(Rows.of(next.batch()));
                    split = split.at(next.block(), next.offset(), next.row());
                    batches++;
                }
            }
            assertThat(rows.equals(expected))
                    .as("block size %d, seed %d", blockSize, seed)
                    .isTrue();
            assertThat(batches).isGreaterThan(3);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void namesTheLineOfABadRowInAnyBlock(boolean gzip) throws IOException {
        StringBuilder text = new StringBuilder("# head\n\n");
        for (int line = 3; line < 500; line++) {
            text.append("1 4:1 ").append(line + 10).append(":1\r\n");
        }
        text.append("1 4:1 -5:1\n1 2:1\n");
        Path path = folder.resolve("rows");
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        Files.write(path, gzip ? Rows.gzip(bytes) : bytes);
        TextFile file = Rows.file(path);
        for (int blockSize : new int[] {64, 1000, 1 << 20}) {
            int lastBlock = (text.indexOf("-5:1") - 6) / blockSize;
            BlockSplit split = new BlockSplit("s", file, blockSize, 7, lastBlock, -1, 0);
            BadRowException bad =
                    catchThrowableOfType(BadRowException.class, () -> Rows.readAll(reader(split)));
            assertThat(bad).hasMessage(path + ":500:7: feature index in '-5:1' is negative");
            assertThat(bad.line()).isEqualTo(500);
            assertThat(bad.column()).isEqualTo(7);
            assertThat(bad.file()).isEqualTo(path.toString());
        }
    }

    @Test
    void skipsAndCountsBadRows() throws IOException {
        TextFile file =
                Rows.file(folder.resolve("rows"), "1 1:1\n1 2:x 3:1\n7 1:1\n0 4:1\n1 5:1 5:1\n");
        for (int blockSize : new int[] {1, 8, 1000}) {
            BlockSplit split = split(file, blockSize, 1, 0);
            TextBlockReader reader =
                    new TextBlockReader(split, FORMAT, RowSelection.all(), OnBadRow.SKIP);
            List<String> rows = new ArrayList<>();
            int skipped = 0;
            for (PositionedBatch next = reader.next(); next != null; next = reader.next()) {
                rows.addAll(Rows.of(next.batch()));
                skipped += next.batch().skippedRows();
            }
            reader.close();
            assertThat(rows).containsExactly("1.0 1:1.0", "0.0 4:1.0");
            assertThat(skipped).isEqualTo(3);
        }
    }

    @Test
    void selectsTheSameRowsWhateverTheBlocks() throws IOException {
        String text = Rows.randomText(new Random(5), 300);
        TextFile file = Rows.file(folder.resolve("rows"), text);
        RowSelection test = RowSelection.test(3, 0.3);
        RowSelection train = RowSelection.train(3, 0.3);
        List<String> expected = null;
        for (int blockSize : new int[] {11, 200, 1 << 20}) {
            BlockSplit split = split(file, blockSize, 1, 0);
            List<String> tests =
                    Rows.readAll(new TextBlockReader(split, FORMAT, test, OnBadRow.FAIL));
            List<String> trains =
                    Rows.readAll(new TextBlockReader(split, FORMAT, train, OnBadRow.FAIL));
            expected = expected == null ? tests : expected;
            assertThat(tests).isEqualTo(expected).hasSizeBetween(50, 130);
            List<String> both = new ArrayList<>(tests);
            both.addAll(trains);
            assertThat(both).containsExactlyInAnyOrderElementsOf(Rows.readAll(reader(split)));
        }
    }

    /** Every reader draws the same rows, and those a scan leaves out are just them. */
    @Test
    void drawsTheSameRowsWhateverTheBlocks() throws IOException {
        String text = Rows.randomText(new Random(6), 300);
        TextFile file = Rows.file(folder.resolve("rows"), text);
        RowSelection draws = RowSelection.train(3, 0.2).withValidation(0.3);
        for (int blockSize : new int[] {11, 200, 1 << 20}) {
            BlockSplit split = split(file, blockSize, 1, 0);
            List<String> training = new ArrayList<>();
            int validating = 0;
            try (TextBlockReader reader =
                    new TextBlockReader(split, FORMAT, draws, OnBadRow.FAIL)) {
                for (PositionedBatch b = reader.next(); b != null; b = reader.next()) {
                    assertThat(b.batch().drawn()).isTrue();
                    for (int row = 0; row < b.batch().rows(); row++) {
                        if (b.batch().validates(row)) {
                            validating++;
                        } else {
                            training.addAll(Rows.of(b.batch().slice(row, row + 1)));
                        }
                    }
                }
            }
            assertThat(validating).isBetween(45, 100);
            assertThat(training)
                    .isEqualTo(
                            Rows.readAll(
                                    new TextBlockReader(
                                            split,
                                            FORMAT,
                                            draws.withoutValidating(),
                                            OnBadRow.FAIL)));
        }
    }

    @Test
    void theFirstLineThatIsNotBlankNamesColumns() throws IOException {
        RowFormat format = new WithHeader(FORMAT);
        TextFile file =
                Rows.file(folder.resolve("rows"), "\r\n  \nname,name\n1 1:1\n0 2:1\n1 3:1\n");
        for (int blockSize : new int[] {20, 40, 1 << 20}) {
            List<String> rows = new ArrayList<>();
            for (int reader = 0; reader < 2; reader++) {
                BlockSplit split = split(file, blockSize, 2, reader);
                rows.addAll(
                        Rows.readAll(
                                new TextBlockReader(
                                        split, format, RowSelection.all(), OnBadRow.FAIL)));
            }
            assertThat(rows).hasSize(3).allMatch(row -> row.contains(":1.0"));
        }
    }

    private record WithHeader(RowFormat format) implements RowFormat {
        private static final long serialVersionUID = 1L;

        @Override
        public String name() {
            return format.name();
        }

        @Override
        public boolean header() {
            return true;
        }

        @Override
        public RowParser newParser() {
            return format.newParser();
        }
    }

    @Test
    void saysThatAGzipFileIsTruncated() throws IOException {
        byte[] packed =
                Rows.gzip(Rows.randomText(new Random(1), 5000).getBytes(StandardCharsets.UTF_8));
        for (int length : new int[] {3, 9, 20, packed.length / 2, packed.length - 1}) {
            Path path = folder.resolve("rows" + length + ".gz");
            Files.write(path, Arrays.copyOf(packed, length));
            BlockSplit split = split(Rows.file(path), 1 << 14, 1, 0);
            assertThatThrownBy(() -> Rows.readAll(reader(split)))
                    .isInstanceOf(InputException.class)
                    .hasMessageStartingWith(path + ": the gzip file is truncated");
        }
    }

    @Test
    void saysThatAGzipFileIsDamaged() throws IOException {
        byte[] packed =
                Rows.gzip(Rows.randomText(new Random(1), 500).getBytes(StandardCharsets.UTF_8));
        packed[packed.length - 6] ^= 1;
        Path path = folder.resolve("rows.gz");
        Files.write(path, packed);
        BlockSplit split = split(Rows.file(path), 1 << 14, 1, 0);
        assertThatThrownBy(() -> Rows.readAll(reader(split)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("the gzip file is damaged after");
    }

    @Test
    void readsAllMembersOfAGzipFile() throws IOException {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.write(Rows.gzip("1 1:1\n0 2:1\n".getBytes(StandardCharsets.UTF_8)));
        both.write(Rows.gzip("1 3:1\n".getBytes(StandardCharsets.UTF_8)));
        Path path = folder.resolve("rows.gz");
        Files.write(path, both.toByteArray());
        assertThat(Rows.readAll(reader(split(Rows.file(path), 8, 1, 0)))).hasSize(3);
    }

    @Test
    void saysThatAFileHasShrunk() throws IOException {
        Path path = folder.resolve("rows");
        TextFile file = Rows.file(path, "1 1:1\n".repeat(1000));
        Files.writeString(path, "1 1:1\n");
        assertThatThrownBy(() -> Rows.readAll(reader(split(file, 1 << 14, 1, 0))))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("it has become shorter than the 6000 bytes it had");
    }
}
