package io.github.flinkps.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Training that ends when rows kept apart fare worse; the rows can only be learned by heart. */
@ExtendWith(SharedFlink.class)
class PatienceITCase {
    private static final int ROWS = 1000;

    @TempDir private Path folder;
    private Path rows;

    @BeforeEach
    void writeRows() throws IOException {
        Random random = new Random(5);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            StringBuilder line = new StringBuilder(random.nextBoolean() ? "1" : "0");
            int feature = 0;
            for (int j = 0; j < 8; j++) {
                feature += 1 + random.nextInt(60);
                line.append(' ').append(feature).append(":1");
            }
            lines.add(line.toString());
        }
        rows = Files.write(folder.resolve("rows.libsvm"), lines);
    }

    @Test
    void endsEarlyAndSavesTheBestModel() throws IOException {
        String model = folder.resolve("model").toString();
        Path report = folder.resolve("report.json");
        String out =
                TestingCommand.succeeds(
                                "train",
                                "--input",
                                rows.toString(),
                                "--workers",
                                "2",
                                "--patience",
                                "2",
                                "--validation-share",
                                ".25",
                                "--model",
                                model,
                                "--report",
                                report.toString())
                        .out();
        JsonNode told = new ObjectMapper().readTree(report.toFile());
        int passes = told.get("epochs").asInt();
        assertThat(passes).isBetween(3, 50);
        assertThat(out)
                .contains("at most 100 passes")
                .contains("  validation 0.")
                .contains("(best in epoch " + (passes - 2) + ")");
        JsonNode validation = told.get("validation");
        assertThat(validation.get("rows").asInt()).isBetween(200, 300);
        assertThat(told.get("trainRows").asInt() + validation.get("rows").asInt()).isEqualTo(ROWS);
        assertThat(validation.get("losses")).hasSize(passes);
        assertThat(validation.get("bestEpoch").asInt()).isEqualTo(passes - 2);
        assertThat(validation.get("losses").get(passes - 3).asDouble())
                .isCloseTo(Math.log(2), within(0.2));

        assertThat(
                        TestingCommand.succeeds(
                                        "evaluate", "--model", model, "--test", rows.toString())
                                .out())
                .as("it has learned by heart what it was trained on")
                .containsPattern("test logloss +0\\.[1-6]");

        checkTheSameWithoutPatience(passes - 2, validation.get("losses").toString());
    }

    private void checkTheSameWithoutPatience(int passes, String losses) throws IOException {
        Path fixed = folder.resolve("fixed.json");
        TestingCommand.succeeds(
                "train",
                "--quiet",
                "--input",
                rows.toString(),
                "--workers",
                "2",
                "--epochs",
                Integer.toString(passes),
                "--tuning",
                "off",
                "--validation-share",
                ".25",
                "--report",
                fixed.toString());
        JsonNode same = new ObjectMapper().readTree(fixed.toFile());
        assertThat(same.get("validation").get("losses"))
                .as("the same under BSP")
                .hasSize(passes)
                .allMatch(loss -> losses.contains(loss.toString()));
    }

    @Test
    void whatCannotBeIsRefused() {
        String input = rows.toString();
        assertThat(TestingCommand.run("train", "--input", input, "--patience", "0").err())
                .contains("--patience must be at least 1");
        assertThat(TestingCommand.run("train", "--input", input, "--validation-share", "1").err())
                .contains("--validation-share must be above 0 and below 1, not 1");
        assertThat(
                        TestingCommand.run(
                                        "train",
                                        "--input",
                                        input,
                                        "--validation-share",
                                        ".999999",
                                        "--model",
                                        folder.resolve("none").toString())
                                .err())
                .contains("--validation-share leaves no row to train with");
        assertThat(folder.resolve("none")).doesNotExist();
        TestingCommand none =
                TestingCommand.run("train", "--input", input, "--validation-share", "1e-9");
        assertThat(none.exitCode()).isEqualTo(ExitCodes.FAILED);
        assertThat(none.err())
                .startsWith("flink-ps: ")
                .contains("validation-share leaves no row to validate with");
    }
}
