package io.github.flinkps.flink.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputScanTest {
    @TempDir private Path folder;

    private Path file(List<String> lines) throws IOException {
        return Files.write(folder.resolve("rows"), lines);
    }

    private static InputScan scan(Path file) {
        return new InputScan(List.of(file.toString()), RowSelection.all(), OnBadRow.FAIL, 4);
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
                .hasMessageContaining("label column 'y' holds text, such as 'no'");
        Path three = file(List.of("x,y", "1,yes", "2,no", "3,perhaps"));
        assertThatThrownBy(
                        () -> scan(three).complete(recipe(), NumericTransform.NONE, Labels.BINARY))
                .hasMessageContaining("3 texts for 2 labels");
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
        Path file = file(List.of("x,y", "1,yes", "old,no"));
        assertThatThrownBy(
                        () -> scan(file).complete(recipe(), NumericTransform.NONE, Labels.BINARY))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(":3:")
                .hasMessageContaining("'old' is not a finite number");
        InputScan skipping =
                new InputScan(List.of(file.toString()), RowSelection.all(), OnBadRow.SKIP, 4);
        assertThat(
                        skipping.complete(recipe(), NumericTransform.LOG, Labels.BINARY)
                                .features()
                                .get(0)
                                .scale())
                .isEqualTo(NumericScale.LOG);
    }
}
