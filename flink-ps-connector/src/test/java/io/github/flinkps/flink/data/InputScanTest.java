package io.github.flinkps.flink.data;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class InputScanTest {
    private static final RowFormat ANY = LibsvmFormat.of(Labels.ANY);

    @TempDir private Path folder;

    private Path file(List<String> lines) throws IOException {
        return Files.write(folder.resolve("rows"), lines);
    }

    private static InputScan scan(Path file) {
        return new InputScan(List.of(file.toString()), RowSelection.all(), OnBadRow.FAIL, UTF_8, 4);
    }

    private static CsvRecipe recipe() {
        return new CsvRecipe(
                List.of("x", "y"),
                true,
                ",",
                "y",
                List.of(),
                null,
                List.of(CsvFeature.numeric("x", NumericScale.NONE)),
                24,
                List.of());
    }

    @Test
    void bringsIndicesToOneSizeUnasked() throws Exception {
        List<String> lines = List.of("1 1:10 3:5", "0 1:30 2:4", "1 1:20", "0 2:4", "1 1:20 3:-5");
        Path file = file(lines);
        LibsvmRecipe recipe = scan(file).scaled(Labels.BINARY, 24);
        // Index 1 is in 4 of 5 rows: mean 16, zeros included; 2 and 3 in 2 of them.
        assertThat(recipe.scales().get(1L).center()).isCloseTo(16, within(1e-9));
        assertThat(recipe.scales().get(2L)).extracting(NumericScale::center).isEqualTo(0.0);
        assertThat(recipe.scales().get(2L).apply(4)).isEqualTo(1f);
        assertThat(recipe.scales().get(3L).apply(-5)).isEqualTo(-1f);
        RowSample rows = sample(file, recipe, 10);
        assertThat(rows.count()).isEqualTo(5);
        // The fourth row lacks index 1, which counts there as any 0 does.
        assertThat(rows.rows().slice(3, 4).keys()).containsExactly(2, 1);
        assertThat(rows.rows().slice(3, 4).values())
                .containsExactly(1f, recipe.scales().get(1L).apply(0));
        assertThat(rows.rows().slice(4, 5).keys()).containsExactly(1, 3);
    }

    @Test
    void leavesManyIndicesAsTheyAre() throws Exception {
        StringBuilder row = new StringBuilder("1");
        for (int i = 1; i < 20_000; i++) {
            row.append(' ').append(i).append(":7");
        }
        assertThat(scan(file(List.of(row.toString(), "0 1:7"))).scaled(Labels.BINARY, 24))
                .isEqualTo(LibsvmRecipe.PLAIN);
    }

    @Test
    void drawsEachRowAsLikelyAsAnother() throws Exception {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            lines.add("1 1:" + i);
        }
        RowSample rows = sample(file(lines), LibsvmRecipe.PLAIN, 500);
        assertThat(rows.count()).isEqualTo(2000);
        assertThat(rows.rows().rows()).isEqualTo(500);
        assertThat(rows.rows().values()).isSorted().doesNotHaveDuplicates();
        double sum = 0;
        for (float value : rows.rows().values()) {
            sum += value;
        }
        assertThat(sum / 500).isCloseTo(1000, within(100.0));
    }

    private static RowSample sample(Path file, LibsvmRecipe recipe, int most) throws Exception {
        return RowSample.of(
                recipe.source(
                        List.of(file.toString()),
                        RowSelection.all(),
                        OnBadRow.FAIL,
                        Labels.BINARY,
                        LibsvmFormat.ANY_INDEX),
                most,
                1);
    }

    @Test
    void standardisesByMeanAndDeviation() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<String> lines = new ArrayList<>(List.of("x,y"));
        double sum = 0;
        double squares = 0;
        int count = 30_000;
        for (int i = 0; i < count; i++) {
            float x = (float) (1000 + 3 * random.nextGaussian());
            sum += x;
            squares += (double) x * x;
            lines.add(x + "," + i % 2);
            if (i % 10 == 0) {
                lines.add(",1");
            }
        }
        double mean = sum / count;
        double deviation = Math.sqrt(squares / count - mean * mean);
        CsvRecipe done =
                scan(file(lines)).complete(recipe(), NumericTransform.STANDARD, Labels.BINARY);
        NumericScale scale = done.features().get(0).scale();
        assertThat(scale.center()).as("seed %d", seed).isCloseTo(mean, within(1e-6));
        assertThat(1 / scale.factor()).as("seed %d", seed).isCloseTo(deviation, within(1e-3));
        assertThat(done.labelValues()).isEmpty();
        assertThat(scan(file(lines)).complete(recipe(), NumericTransform.STANDARD, Labels.BINARY))
                .isEqualTo(done);
    }

    /** The content of a validating row is as unknown as that of a test row. */
    @Test
    void leavesOutRowsThatValidate() throws IOException {
        RowSelection selection = RowSelection.train(7, 0.1).withValidation(0.2);
        List<String> lines = new ArrayList<>(List.of("x,y"));
        double sum = 0;
        int count = 0;
        int position = "x,y\n".length();
        for (int i = 0; i < 1000; i++) {
            String line = i * i + "," + i % 2;
            if (selection.accepts(0, position) && !selection.validates(0, position)) {
                sum += i * i;
                count++;
            }
            lines.add(line);
            position += line.length() + 1;
        }
        List<String> paths = List.of(file(lines).toString());
        NumericScale scale =
                new InputScan(paths, selection, OnBadRow.FAIL, UTF_8, 4)
                        .complete(recipe(), NumericTransform.STANDARD, Labels.BINARY)
                        .features()
                        .get(0)
                        .scale();
        assertThat(count).isBetween(600, 800);
        assertThat(scale.center()).isCloseTo(sum / count, within(1e-6 * sum / count));
    }

    @Test
    void bucketsHoldAboutAsMany() throws IOException {
        List<String> lines = new ArrayList<>(List.of("x,y"));
        for (int i = 0; i < 100_000; i++) {
            lines.add(i + "," + i % 2);
        }
        NumericScale scale =
                scan(file(lines))
                        .complete(recipe(), NumericTransform.BUCKET, Labels.BINARY)
                        .features()
                        .get(0)
                        .scale();
        assertThat(scale.bounds()).hasSize(3);
        for (int i = 0; i < 3; i++) {
            assertThat(scale.bounds().get(i)).isCloseTo(25_000.0 * (i + 1), within(1000.0));
        }
    }

    @Test
    void namesLabelsThatAreTexts() throws IOException {
        Path file = file(List.of("x,y", "1,yes", "2,no", "3,yes"));
        assertThat(
                        scan(file)
                                .complete(recipe(), NumericTransform.NONE, Labels.BINARY)
                                .labelValues())
                .containsExactly(List.of("no"), List.of("yes"));
        assertThatThrownBy(() -> scan(file).complete(recipe(), NumericTransform.NONE, Labels.REAL))
                .hasMessageContaining("column 'y': 'yes' is not a finite number");
        Path three = file(List.of("x,y", "1,yes", "2,no", "3,perhaps"));
        assertThatThrownBy(
                        () -> scan(three).complete(recipe(), NumericTransform.NONE, Labels.BINARY))
                .hasMessageContaining(
                        "rows:4:3: label column 'y': 'perhaps' is one too many: the column holds 3"
                                + " texts for 2 labels: [no, perhaps, yes]");
        Path one = file(List.of("x,y", "1,yes", "2,yes"));
        assertThatThrownBy(() -> scan(one).complete(recipe(), NumericTransform.NONE, Labels.BINARY))
                .hasMessageContaining("label column 'y' holds nothing but [yes]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "binary | 1 2 1   | 1 2",
                "binary | 2 2 -4  | -4 2",
                "binary | 0 1     | ''",
                "binary | -1 1 0  | ''",
                "binary | 0 -1 0  | -1 0",
                "binary | 5 5     | ''",
                "3      | 0 1 2   | ''",
                "3      | 1 1     | ''",
                "3      | 3 1     | 1 2 3",
                "3      | 7 10 -1 | -1 7 10",
                "3      | 7 10    | 7 10",
                "3      | .5 1 2  | 0.5 1 2",
            })
    void namesLabelsThatAreOtherNumbers(String wanted, String given, String names)
            throws IOException {
        Labels labels =
                wanted.equals("binary") ? Labels.BINARY : Labels.classes(Integer.parseInt(wanted));
        List<List<String>> expected =
                names.isEmpty() ? List.of() : Stream.of(names.split(" ")).map(List::of).toList();
        List<String> rows = List.of(given.trim().split(" "));
        Path svm = file(rows.stream().map(label -> label + " 1:1").toList());
        assertThat(scan(svm).labels(ANY, labels)).isEqualTo(expected);
        List<String> lines = new ArrayList<>(List.of("x,y"));
        rows.forEach(label -> lines.add("1," + label.replace(".5", "0.5")));
        CsvRecipe csv = scan(file(lines)).complete(recipe(), NumericTransform.NONE, labels);
        assertThat(csv.labelValues()).isEqualTo(expected);
    }

    @Test
    void looksForLabelsUntilThereAreEnoughAmongTheRowsThatTrain() throws IOException {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            lines.add((i < 10_000 ? "1" : "2") + (i % 7 == 0 ? " no row" : " 1:1"));
        }
        lines.add("3 1:1");
        Path file = file(lines);
        assertThat(scan(file).labels(ANY, Labels.BINARY))
                .containsExactly(List.of("1"), List.of("2"));
        assertThat(scan(file).labels(ANY, Labels.REAL)).isEmpty();
        String path = file.toString();
        Path alone = file(List.of("4 1:1", "2 1:1", "9 1:1"));
        for (long seed = 0; seed < 20; seed++) {
            RowSelection part = RowSelection.train(seed, .5);
            List<String> seen = new ArrayList<>();
            RowPreview.scan(
                    List.of(alone.toString()),
                    ANY,
                    part,
                    batch -> {
                        for (float label : batch.labels()) {
                            seen.add(Integer.toString((int) label));
                        }
                        return true;
                    });
            seen.sort(null);
            assertThat(
                            new InputScan(List.of(path), part, OnBadRow.FAIL, UTF_8, 4)
                                    .labels(ANY, Labels.BINARY))
                    .as("seed %d, rows that train %s", seed, seen)
                    .isEqualTo(seen.size() == 2 ? seen.stream().map(List::of).toList() : List.of());
        }
    }

    @Test
    void aMissingLabelIsNoText() throws IOException {
        CsvRecipe draft =
                new CsvRecipe(
                        List.of("x", "y"),
                        true,
                        ",",
                        "y",
                        List.of(),
                        null,
                        recipe().features(),
                        24,
                        List.of("NA"));
        Path file = file(List.of("x,y", "1,yes", "2,", "3,no", "4,NA"));
        assertThatThrownBy(() -> scan(file).complete(draft, NumericTransform.NONE, Labels.BINARY))
                .isInstanceOf(BadRowException.class)
                .hasMessageContaining("label column 'y': no label");
        InputScan skipping =
                new InputScan(
                        List.of(file.toString()), RowSelection.all(), OnBadRow.SKIP, UTF_8, 4);
        CsvRecipe done = skipping.complete(draft, NumericTransform.STANDARD, Labels.BINARY);
        assertThat(done.labelValues()).containsExactly(List.of("no"), List.of("yes"));
        assertThat(done.features().get(0).scale().center())
                .as("of the rows that are not skipped")
                .isEqualTo(2);
    }

    /** Neighbours among times of today are one float. */
    @ParameterizedTest
    @EnumSource(
            value = NumericTransform.class,
            names = {"STANDARD", "BUCKET"})
    void numbersAreScaledBeforeTheyAreRounded(NumericTransform transform)
            throws IOException, RowProblem {
        List<List<String>> csv = new ArrayList<>();
        List<List<String>> libsvm = new ArrayList<>();
        for (long base : new long[] {0, 1_700_000_000}) {
            List<String> lines = new ArrayList<>(List.of("x,y"));
            List<String> entries = new ArrayList<>();
            for (int i = 0; i <= 100; i++) {
                lines.add(base + i + "," + i % 2);
                entries.add(i % 2 + " 3:" + (base + i));
            }
            RowFormat columns =
                    scan(file(lines))
                            .complete(recipe(), transform, Labels.BINARY)
                            .rowFormat(Labels.BINARY, LibsvmFormat.ANY_INDEX);
            csv.add(Rows.parse(String.join("\n", lines.subList(1, lines.size())), columns));
            RowFormat indices =
                    scan(file(entries))
                            .complete(transform, Labels.BINARY, 24)
                            .rowFormat(Labels.BINARY, LibsvmFormat.ANY_INDEX);
            libsvm.add(Rows.parse(String.join("\n", entries), indices));
        }
        assertThat(rounded(csv.get(1))).isEqualTo(rounded(csv.get(0)));
        assertThat(rounded(libsvm.get(1))).isEqualTo(rounded(libsvm.get(0)));
        assertThat(new HashSet<>(csv.get(0)).size())
                .isEqualTo(transform == NumericTransform.STANDARD ? 101 : 8);
    }

    /** Rounds the values of rows: a mean that is merged of shares differs in its last bits. */
    private static List<String> rounded(List<String> rows) {
        return rows.stream()
                .map(
                        row -> {
                            int at = row.lastIndexOf(':') + 1;
                            double value = Double.parseDouble(row.substring(at));
                            return row.substring(0, at) + Math.round(value * 10_000) / 10_000.0;
                        })
                .toList();
    }

    @Test
    void knowsIndicesThatTrained() throws IOException, RowProblem {
        LibsvmRecipe recipe =
                scan(file(List.of("1 1:2 2:4", "0 1:4", "1 1:6 2:4", "0 1:8")))
                        .complete(NumericTransform.BUCKET, Labels.BINARY, 24);
        RowFormat format = recipe.rowFormat(Labels.BINARY, LibsvmFormat.ANY_INDEX);
        assertThat(Rows.parse("1 1:3 7:3", format))
                .as("no raw index among hashed keys")
                .isEqualTo(Rows.parse("1 1:3", format));
        Path some = file(List.of("1 7:1", "x", "0 8:1 2:1"));
        KnownIndices.check(List.of(some.toString()), recipe);
        Path none = file(List.of("1 7:1", "x", "0 8:1"));
        assertThatThrownBy(() -> KnownIndices.check(List.of(none.toString()), recipe))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("none of the 2 rows has a feature that the model knows");
        KnownIndices.check(List.of(none.toString()), LibsvmRecipe.PLAIN);
        KnownIndices.check(List.of(file(List.of("1", "0")).toString()), recipe);
    }

    /** A feature absent in some rows is 0 there, and stays so. */
    @Test
    void scalesLibsvmByIndex() throws IOException {
        Path file = file(List.of("1 1:2 2:4", "0 1:4", "1 1:6 2:4", "0 1:8"));
        LibsvmRecipe recipe = scan(file).complete(NumericTransform.STANDARD, Labels.BINARY, 24);
        NumericScale first = recipe.scales().get(1L);
        NumericScale second = recipe.scales().get(2L);
        assertThat(first.center()).isEqualTo(5);
        assertThat(1 / first.factor()).isCloseTo(Math.sqrt(5), within(1e-9));
        assertThat(second.center()).isZero();
        assertThat(1 / second.factor()).isCloseTo(2, within(1e-9));
        assertThat(recipe.rowFormat(Labels.BINARY, LibsvmFormat.ANY_INDEX).name())
                .isEqualTo("libsvm");
    }

    @Test
    void badRowsFailOrAreSkipped() throws IOException {
        Path file = file(List.of("x,y", "1,yes", "old,no", "2,no"));
        assertThatThrownBy(
                        () -> scan(file).complete(recipe(), NumericTransform.NONE, Labels.BINARY))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(":3:")
                .hasMessageContaining("'old' is not a finite number");
        InputScan skipping =
                new InputScan(
                        List.of(file.toString()), RowSelection.all(), OnBadRow.SKIP, UTF_8, 4);
        assertThat(
                        skipping.complete(recipe(), NumericTransform.LOG, Labels.BINARY)
                                .features()
                                .get(0)
                                .scale())
                .isEqualTo(NumericScale.LOG);
    }
}
