package io.github.flinkps.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What README says of the examples is so. */
class ReadmeTest {
    private static final String FOLDER = "examples/src/main/java/io/github/flinkps/examples";
    private static final Path ROOT = root();

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("README.md"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve(FOLDER))) {
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

    @Test
    void showsAWholeProgram() throws IOException {
        String program = Files.readString(ROOT.resolve(FOLDER).resolve("TrainOnRecords.java"));
        assertThat(Files.readString(ROOT.resolve("README.md")))
                .as("the text of TrainOnRecords.java")
                .contains("```java\n" + program + "```\n");
    }

    @Test
    void namesEveryProgram() throws IOException {
        String readme = Files.readString(ROOT.resolve("README.md"));
        for (Path program : programs()) {
            assertThat(readme).containsPattern("\\b" + name(program) + "\\b");
        }
    }

    @Test
    void linksToFilesThatAreThere() throws IOException {
        Matcher links =
                Pattern.compile("]\\((examples/[^)]+)\\)")
                        .matcher(Files.readString(ROOT.resolve("README.md")));
        assertThat(links.results())
                .hasSizeGreaterThanOrEqualTo(6)
                .allSatisfy(link -> assertThat(ROOT.resolve(link.group(1))).exists());
    }

    private static String name(Path program) {
        return program.getFileName().toString().replace(".java", "");
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

    /** Models, optimizers and data of theirs, too. */
    @Test
    void programsAreShort() throws IOException {
        assertThat(files())
                .containsAll(programs())
                .allSatisfy(file -> assertThat(Files.readAllLines(file)).hasSizeLessThan(60));
    }
}
