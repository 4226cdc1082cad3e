package io.github.flinkps.cli.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RatingLogTest {
    @TempDir private Path folder;

    @Test
    void ratingsAreKeptAndTheirNoiseIsKnown() throws IOException {
        GeneratedRows log = RatingLog.of(folder.resolve("a"), 20_000, 3);
        List<String> lines = Files.readAllLines(log.train());
        assertThat(lines).hasSize(20_000);
        assertThat(lines).allMatch(line -> line.matches("-?\\d+\\.\\d{4} \\d+:1 \\d+:1"));
        assertThat(Files.readAllLines(log.test())).hasSize(2000);
        assertThat(log.best()).containsOnlyKeys("rmse");
        assertThat(log.best().get("rmse")).isCloseTo(RatingLog.NOISE, within(0.04));
        double mean =
                lines.stream()
                        .mapToDouble(line -> Double.parseDouble(line.split(" ", 2)[0]))
                        .average()
                        .orElseThrow();
        assertThat(mean).isCloseTo(RatingLog.MEAN, within(0.1));
        assertThat(RatingLog.of(folder.resolve("a"), 20_000, 3)).isEqualTo(log);
        assertThat(RatingLog.of(folder.resolve("b"), 20_000, 3).train())
                .hasSameTextualContentAs(log.train());
        assertThat(RatingLog.of(folder.resolve("b"), 20_000, 4).best()).isNotEqualTo(log.best());
    }
}
