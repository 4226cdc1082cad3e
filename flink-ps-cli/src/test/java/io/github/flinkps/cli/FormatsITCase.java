package io.github.flinkps.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Files as libffm and Vowpal Wabbit have them, from training to scores. */
@ExtendWith(SharedFlink.class)
class FormatsITCase {
    private static final int ROWS = 2000;

    @TempDir private Path folder;

    /** Writes rows whose label is whether two of three values are alike; a third may be missing. */
    private Path write(String name, long seed, String row, String third) throws IOException {
        Random random = new Random(seed);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            int left = random.nextInt(4);
            int right = random.nextBoolean() ? left : random.nextInt(4);
            String more = random.nextBoolean() ? third.formatted(random.nextInt(3)) : "";
            lines.add(row.formatted(left == right ? 1 : 0, left, right) + more);
        }
        return Files.write(folder.resolve(name), lines);
    }

    private double accuracy(String train, Path rows, Path test, String options) throws IOException {
        Path report = folder.resolve("report.json");
        Path model = folder.resolve("model-" + train);
        TestingCommand.succeeds(
                "train --quiet --format %s --input %s --test %s --model %s --report %s %s"
                        .formatted(train, rows, test, model, report, options)
                        .split(" "));
        double trained =
                new ObjectMapper().readTree(report.toFile()).at("/test/accuracy").asDouble();
        TestingCommand evaluated =
                TestingCommand.succeeds(
                        "evaluate --quiet --model %s --test %s --report %s"
                                .formatted(model, test, report)
                                .split(" "));
        assertThat(evaluated.err()).isEmpty();
        assertThat(new ObjectMapper().readTree(report.toFile()).at("/test/accuracy").asDouble())
                .isEqualTo(trained);
        Path scores = folder.resolve("scores.csv");
        TestingCommand.succeeds(
                "predict --quiet --model %s --input %s --output %s"
                        .formatted(model, test, scores)
                        .split(" "));
        assertThat(Files.readAllLines(scores)).hasSize(ROWS + 1);
        return trained;
    }

    @Test
    void theFieldAwareModelLearnsFromLibffm() throws IOException {
        String row = "%d 0:%d:1 1:1%d:1";
        Path rows = write("rows", 1, row, " 2:2%d:1");
        Path test = write("test", 2, row, " 2:2%d:1");
        String algorithm = "--algorithm field-aware-factorization-machine --fields 3";
        assertThat(accuracy("libffm", rows, test, algorithm + " --epochs 20")).isGreaterThan(.95);
        TestingCommand few =
                TestingCommand.run(
                        ("train --format libffm --input %s " + algorithm.replace("3", "2"))
                                .formatted(rows)
                                .split(" "));
        assertThat(few.exitCode()).isEqualTo(ExitCodes.FAILED);
        assertThat(few.err()).contains("field 2 is beyond the 2 fields (0 to 1), as --fields");
    }

    @Test
    void linearModelsTakeTheIndicesOfLibffm() throws IOException {
        Path rows = write("rows", 1, "%1$d 0:%1$d%2$d:1 1:9%3$d:1", "");
        assertThat(accuracy("libffm", rows, rows, "")).isEqualTo(1);
    }

    @Test
    void trainsOnTextOfVowpalWabbit() throws IOException {
        String row = "%d |a %d |b %d";
        String crossed = "%1$d 2 'n |a x%2$d |a*b both%2$d%3$d:1";
        Path plain = write("plain", 1, row, " |c x%d");
        assertThat(accuracy("vw", plain, plain, "")).isLessThan(.8);
        Path rows = write("rows", 1, crossed, " |c x%d:.5");
        Path test = write("test", 2, crossed, " |c x%d:.5");
        assertThat(accuracy("vw", rows, test, "")).isGreaterThan(.98);
    }
}
