package io.github.flinkps.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.flinkps.testing.RealData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A skip-gram model of plain text, from the file to the neighbours of words. */
@ExtendWith(SharedFlink.class)
class WordsITCase {
    @TempDir private Path folder;

    @Test
    void learnsNeighboursFromText() throws IOException {
        List<String> lines = Files.readAllLines(RealData.path("text8/text8.split.head"));
        Path text = Files.write(folder.resolve("text"), lines.subList(0, 2000));
        Path test = Files.write(folder.resolve("test"), lines.subList(2000, 4000));
        Path model = folder.resolve("words");
        TestingCommand trained =
                TestingCommand.succeeds(
                        ("train --format text --algorithm skip-gram --factors 16 --epochs 2"
                                        + " --batch-size 64 --min-count 8 --test %s --input %s"
                                        + " --model %s")
                                .formatted(test, text, model)
                                .split(" "));
        assertThat(trained.out())
                .contains("  sentence-loss ", "train sentence-loss  ", "test pair-accuracy");
        Path report = folder.resolve("report.json");
        TestingCommand checked =
                TestingCommand.succeeds(
                        "model neighbours %s --words one,two --count 5 --test %s --report %s"
                                .formatted(model, test, report)
                                .split(" "));
        assertThat(checked.out()).contains("one: ", "two: ", "times as near as chance");
        JsonNode result = new ObjectMapper().readTree(report.toFile());
        assertThat(result.get("words").asInt()).isGreaterThan(150);
        assertThat(result.get("multiple").asDouble()).isGreaterThan(1.3);

        TestingCommand unknown =
                TestingCommand.run("model", "neighbours", model.toString(), "--words", "qqqq");
        assertThat(unknown.exitCode()).isEqualTo(ExitCodes.FAILED);
        assertThat(unknown.err()).contains("does not know the word 'qqqq'");
    }

    @Test
    void refusesWhatIsNoTextModel() throws IOException {
        Path rows = Files.writeString(folder.resolve("rows"), "1 1:1\n0 2:1\n");
        Path model = folder.resolve("model");
        TestingCommand.succeeds(
                "train --quiet --input %s --model %s".formatted(rows, model).split(" "));
        TestingCommand neighbours = TestingCommand.run("model", "neighbours", model.toString());
        assertThat(neighbours.exitCode()).isEqualTo(ExitCodes.FAILED);
        assertThat(neighbours.err()).contains("is no model of words");
        TestingCommand other =
                TestingCommand.run("train", "--format", "text", "--input", rows.toString());
        assertThat(other.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(other.err()).contains("--format text goes with --algorithm skip-gram only");
        TestingCommand rare =
                TestingCommand.run(
                        "train --format text --algorithm skip-gram --min-count 9 --input %s"
                                .formatted(rows)
                                .split(" "));
        assertThat(rare.exitCode()).isEqualTo(ExitCodes.FAILED);
        assertThat(rare.err()).contains("--input: no word occurs 9 times");
    }
}
