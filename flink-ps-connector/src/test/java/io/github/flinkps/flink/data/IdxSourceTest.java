package io.github.flinkps.flink.data;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdxSourceTest {
    private static final int ROWS = 1000;

    @TempDir private Path folder;

    private Path file(String name, int type, int... dimensions) throws IOException {
        Path file = folder.resolve(name);
        try (OutputStream plain = Files.newOutputStream(file);
                DataOutputStream out =
                        new DataOutputStream(
                                name.endsWith(".gz") ? new GZIPOutputStream(plain) : plain)) {
            out.writeShort(0);
            out.writeByte(type);
            out.writeByte(dimensions.length);
            int values = 1;
            for (int size : dimensions) {
                out.writeInt(size);
                values *= size;
            }
            for (int i = 0; i < values; i++) {
                switch (type) {
                    case 0x08 -> out.writeByte(dimensions.length == 1 ? i % 10 : i % 256);
                    case 0x0D -> out.writeFloat(i % 3 == 0 ? 0 : i / 2f);
                    default -> out.writeByte(0);
                }
            }
        }
        return file;
    }

    private static List<RowBatch> read(IdxSource source, int readers) throws IOException {
        List<RowBatch> all = new ArrayList<>();
        for (List<BlockSplit> share : source.plan(readers)) {
            for (BlockSplit split : share) {
                try (BlockReader reader = source.open(split)) {
                    for (PositionedBatch batch = reader.next();
                            batch != null;
                            batch = reader.next()) {
                        all.add(batch.batch());
                    }
                }
            }
        }
        all.sort(Comparator.comparingLong(RowBatch::block));
        return all;
    }

    private IdxSource source(int features, String... names) {
        return new IdxSource(
                List.of(names).stream().map(name -> folder.resolve(name).toString()).toList(),
                features,
                RowSelection.all(),
                Labels.classes(10));
    }

    @Test
    void readsRowsAndLabelsWhateverTheReaders() throws IOException {
        file("rows.gz", 0x08, ROWS, 2, 3);
        file("labels", 0x08, ROWS);
        for (int readers : new int[] {1, 3, 7}) {
            int row = 0;
            for (RowBatch batch : read(source(6, "rows.gz", "labels"), readers)) {
                for (int i = 0; i < batch.rows(); i++, row++) {
                    assertThat(batch.labels()[i]).isEqualTo(row % 10);
                    int entry = batch.rowStart(i);
                    for (int pixel = 0; pixel < 6; pixel++) {
                        int shade = (6 * row + pixel) % 256;
                        if (shade != 0) {
                            assertThat(batch.keys()[entry]).isEqualTo(pixel);
                            assertThat(batch.values()[entry]).isEqualTo(shade / 255f);
                            entry++;
                        }
                    }
                    assertThat(entry).isEqualTo(batch.rowStart(i + 1));
                }
            }
            assertThat(row).isEqualTo(ROWS);
        }
    }

    @Test
    void namesLabelsThatAreCountedFromOne() throws IOException {
        file("rows", 0x08, ROWS, 2, 3);
        Path labels = file("labels", 0x08, ROWS);
        byte[] bytes = Files.readAllBytes(labels);
        for (int i = 8; i < bytes.length; i++) {
            bytes[i]++;
        }
        Files.write(labels, bytes);
        List<String> paths = List.of(folder.resolve("rows").toString(), labels.toString());
        IdxRecipe recipe =
                new InputScan(paths, RowSelection.all(), OnBadRow.FAIL, UTF_8, 4)
                        .complete(IdxRecipe.of(paths, true), Labels.classes(10));
        assertThat(recipe.labelNames())
                .extracting(names -> names.get(0))
                .containsExactly("1", "2", "3", "4", "5", "6", "7", "8", "9", "10");
        assertThat(RowRecipe.fromJson(recipe.toJson())).isEqualTo(recipe);
        IdxSource source =
                (IdxSource)
                        recipe.source(
                                paths,
                                RowSelection.all(),
                                OnBadRow.FAIL,
                                Labels.classes(10),
                                LibsvmFormat.ANY_INDEX);
        int row = 0;
        for (RowBatch batch : read(source, 1)) {
            for (float label : batch.labels()) {
                assertThat(label).isEqualTo(row++ % 10);
            }
        }
        bytes[8] = 0;
        Files.write(labels, bytes);
        assertThatThrownBy(() -> read(source, 1))
                .hasMessageContaining("label 0.0 of row 0 is none of the labels 1, 2, 3");
    }

    @Test
    void drawsRowsThatValidateByTheirNumber() throws IOException {
        file("rows", 0x08, ROWS, 2, 3);
        file("labels", 0x08, ROWS);
        RowSelection draws = RowSelection.all().withValidation(0.3);
        IdxSource source =
                new IdxSource(
                        List.of(folder.resolve("rows").toString()), 6, draws, Labels.classes(10));
        for (int readers : new int[] {1, 3}) {
            int row = 0;
            for (RowBatch batch : read(source, readers)) {
                assertThat(batch.drawn()).isTrue();
                for (int i = 0; i < batch.rows(); i++, row++) {
                    assertThat(batch.validates(i)).isEqualTo(draws.validates(0, row));
                }
            }
            assertThat(row).isEqualTo(ROWS);
        }
    }

    @Test
    void readsFloatsAndRowsWithoutLabels() throws IOException {
        file("floats", 0x0D, 3, 3);
        List<RowBatch> batches = read(source(3, "floats"), 1);
        assertThat(batches).hasSize(1);
        assertThat(batches.get(0).keys()).containsExactly(1, 2, 1, 2, 1, 2);
        assertThat(batches.get(0).values()).containsExactly(.5f, 1, 2, 2.5f, 3.5f, 4);
        assertThat(batches.get(0).labels()).containsOnly(Float.NaN);
    }

    @Test
    void saysWhatDoesNotFit() throws IOException {
        file("rows", 0x08, 10, 4);
        file("few", 0x08, 9);
        file("labels", 0x08, 10);
        file("wide", 0x08, 10, 5);
        Files.writeString(folder.resolve("text"), "1 2:3\n");
        Path torn = folder.resolve("torn");
        byte[] bytes = Files.readAllBytes(folder.resolve("rows"));
        Files.write(torn, Arrays.copyOf(bytes, bytes.length - 1));
        assertRefused("9 labels for the 10 rows of", "rows", "few");
        assertRefused("1 idx files of rows and 0 of labels", "rows");
        assertRefused("0 idx files of rows and 1 of labels", "labels");
        assertRefused("does not begin with two zeros", "text", "labels");
        assertRefused("it is truncated", "torn", "labels");
        assertRefused("rows of 5 values; those before have 4", "rows", "labels", "wide", "labels");
        assertThatThrownBy(() -> source(5, "rows", "labels").plan(1))
                .hasMessageContaining("rows of 4 values; the model was made for 5");
        assertThatThrownBy(
                        () ->
                                read(
                                        new IdxSource(
                                                List.of(
                                                        folder.resolve("rows").toString(),
                                                        folder.resolve("labels").toString()),
                                                4,
                                                RowSelection.all(),
                                                Labels.BINARY),
                                        1))
                .hasMessageContaining("label 2.0 of row 2 is out of range");
    }

    private void assertRefused(String message, String... names) {
        List<String> paths =
                List.of(names).stream().map(name -> folder.resolve(name).toString()).toList();
        assertThatThrownBy(() -> IdxRecipe.of(paths, true))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(message);
    }
}
