package io.github.flinkps.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.testing.RealData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that README.md and examples/README.md say what is so. */
class ReadmeTest {
    private static final Path ROOT = RealData.repository();
    private static final Path EXAMPLES = ROOT.resolve("examples");
    private static final Path FOLDER = EXAMPLES.resolve("src/main/java/io/github/flinkps/examples");

    private static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.sorted().toList();
        }
    }

    private static List<Path> programs() throws IOException {
        return files().stream().filter(ReadmeTest::isProgram).toList();
    }

    private static boolean isProgram(Path file) {
        try {
            return Files.readString(file).contains("public static void main(String[] args)");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String name(Path program) {
        return program.getFileName().toString().replace(".java", "");
    }

    private static List<String> blocks(String language) throws IOException {
        return Pattern.compile(
                        "^```" + language + "\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE)
                .matcher(Files.readString(ROOT.resolve("README.md")))
                .results()
                .map(block -> block.group(1))
                .toList();
    }

    @Test
    void showsLinesOfAProgram() throws IOException {
        String program =
                Files.readString(FOLDER.resolve("TrainOnRecords.java")).replaceAll("(?m)^ +", "");
        assertThat(blocks("java"))
                .hasSize(1)
                .flatMap(block -> List.of(block.replaceAll("(?m)^ +", "").split("\n\n")))
                .hasSizeGreaterThan(1)
                .allSatisfy(lines -> assertThat(program).contains(lines));
    }

    @Test
    void showsAResultThatWasMeasured() throws IOException {
        List<MatchResult> claims =
                Pattern.compile("(\\d+\\.\\d) s and (\\d+) MiB")
                        .matcher(Files.readString(ROOT.resolve("README.md")))
                        .results()
                        .toList();
        String page = Files.readString(ROOT.resolve("docs/flink-ml.md"));
        assertThat(claims)
                .hasSize(2)
                .allSatisfy(
                        claim ->
                                assertThat(page)
                                        .containsPattern(
                                                "2\\^24 features .*\\| "
                                                        + claim.group(1)
                                                        + " \\|.*\\| "
                                                        + claim.group(2)
                                                        + " \\|"));
    }

    @Test
    void isShort() throws IOException {
        assertThat(Files.readAllLines(ROOT.resolve("README.md"))).hasSizeLessThan(130);
    }

    @Test
    void everyProgramIsListed() throws IOException {
        String page = Files.readString(EXAMPLES.resolve("README.md"));
        assertThat(programs())
                .allSatisfy(program -> assertThat(page).contains("| [" + name(program) + "]("));
    }

    @Test
    void programsSayHowToRunThem() throws IOException {
        assertThat(programs())
                .hasSizeGreaterThanOrEqualTo(6)
                .allSatisfy(
                        program ->
                                assertThat(Files.readString(program))
                                        .containsPattern(
                                                "\\{@code\\s+(\\*\\s+)?" + name(program) + " "));
    }

    /** Models, optimizers and data of the programs are short, too. */
    @Test
    void programsAreShort() throws IOException {
        assertThat(files())
                .containsAll(programs())
                .allSatisfy(file -> assertThat(Files.readAllLines(file)).hasSizeLessThan(60));
    }
}
