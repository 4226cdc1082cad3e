package io.github.flinkps.cli.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClickLogTest {
    @TempDir private Path folder;

    @Test
    void isWrittenOnceAndIsAFunctionOfItsSeed() throws IOException {
        GeneratedRows log = ClickLog.of(folder.resolve("a"), 3000, 7, false);
        List<String> lines = Files.readAllLines(log.train());
        assertThat(lines).hasSize(3001);
        assertThat(lines.get(0)).startsWith("clicked,I1,").endsWith(",C25,C26");
        assertThat(lines).allMatch(line -> line.split(",", -1).length == 40);
        assertThat(Files.readAllLines(log.test())).hasSize(301);
        FileTime written = Files.getLastModifiedTime(log.train());
        assertThat(ClickLog.of(folder.resolve("a"), 3000, 7, false)).isEqualTo(log);
        assertThat(Files.getLastModifiedTime(log.train())).isEqualTo(written);
        GeneratedRows again = ClickLog.of(folder.resolve("b"), 3000, 7, false);
        assertThat(again.train()).hasSameTextualContentAs(log.train());
        assertThat(again.best()).isEqualTo(log.best());
        assertThat(ClickLog.of(folder.resolve("b"), 3000, 8, false).best())
                .isNotEqualTo(log.best());
    }

    @Test
    void isWrittenAnewWhereAFileIsMissingOrDamaged() throws IOException {
        GeneratedRows log = ClickLog.of(folder, 100, 7, false);
        Files.delete(log.train());
        assertThat(ClickLog.of(folder, 100, 7, false)).isEqualTo(log);
        assertThat(Files.readAllLines(log.train())).hasSize(101);
        Files.writeString(log.train().resolveSibling("rows.json"), "");
        assertThat(ClickLog.of(folder, 100, 7, false)).isEqualTo(log);
        List<String> lines = Files.readAllLines(log.train());
        Files.write(log.train(), lines.subList(0, 50));
        assertThat(ClickLog.of(folder, 100, 7, false)).isEqualTo(log);
        assertThat(Files.readAllLines(log.train())).isEqualTo(lines);
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).as("nothing else").hasSize(1);
        }
    }

    /** Labels follow the probabilities: those said to be p click p of the time. */
    @Test
    void theBestIsTheTruth() {
        for (boolean interactions : new boolean[] {false, true}) {
            ClickModel model = new ClickModel(1, interactions);
            double[] clicks = new double[10];
            double[] chances = new double[10];
            int[] rows = new int[10];
            double all = 0;
            int count = 100_000;
            for (int row = 0; row < count; row++) {
                model.make(row);
                double p = model.probability();
                int part = (int) Math.min(9, p * 10);
                rows[part]++;
                chances[part] += p;
                clicks[part] += model.clicked() ? 1 : 0;
                all += model.clicked() ? 1 : 0;
            }
            assertThat(all / count).isBetween(.2, .35);
            for (int part = 0; part < 10; part++) {
                if (rows[part] > 500) {
                    assertThat(clicks[part] / rows[part])
                            .isCloseTo(
                                    chances[part] / rows[part],
                                    within(4 * .5 / Math.sqrt(rows[part])));
                }
            }
        }
    }

    @Test
    void frequenciesAreZipfs() {
        int[] seen = new int[1000];
        int draws = 1_000_000;
        for (int i = 0; i < draws; i++) {
            seen[ClickModel.zipf((i + 0.5) / draws, 1000)]++;
        }
        assertThat(seen[0] / (double) seen[9]).isBetween(8.0, 16.0);
        assertThat(seen[9] / (double) seen[99]).isBetween(10.0, 18.0);
        assertThat(seen[999]).isPositive();
    }

    @Test
    void saysWhereItCannotWrite() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> ClickLog.of(file.resolve("x"), 10, 0, false))
                .hasMessageContaining("FLINK_PS_CACHE");
    }
}
