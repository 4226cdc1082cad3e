package io.github.flinkps.flink.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.testing.GeneratedDoc;
import io.github.flinkps.testing.RealData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Keeps the tables of options in {@code docs/models.md}, whose text is written by hand, as the
 * factories say they are; {@code -Ddocs.update=true} writes them anew.
 */
class ModelsDocTest {
    private static final Pattern TABLE =
            Pattern.compile("<!-- options: ([a-z-]+) -->\n.*?<!-- end -->\n", Pattern.DOTALL);

    @Test
    void everyModelHasASectionAndItsOptions() throws IOException {
        GeneratedDoc.checkTable("models.md", "models", List.of("model", "for"), rows());
        Path file = RealData.repository().resolve("docs").resolve("models.md");
        String text = Files.readString(file);
        List<String> documented = new ArrayList<>();
        Matcher matcher = TABLE.matcher(text);
        StringBuilder renewed = new StringBuilder();
        while (matcher.find()) {
            documented.add(matcher.group(1));
            matcher.appendReplacement(renewed, Matcher.quoteReplacement(table(matcher.group(1))));
        }
        matcher.appendTail(renewed);
        if (Boolean.getBoolean("docs.update")) {
            Files.writeString(file, renewed.toString());
        }
        assertThat(documented)
                .containsExactlyInAnyOrderElementsOf(
                        ServiceLoader.load(TrainingModelFactory.class).stream()
                                .map(found -> found.get().name())
                                .toList());
        assertThat(documented).allSatisfy(name -> assertThat(text).contains("\n## " + name + "\n"));
        assertThat(Files.readString(file))
                .as("docs/models.md, whose tables -Ddocs.update=true writes anew")
                .isEqualTo(renewed.toString());
    }

    private static List<List<String>> rows() {
        return TrainingModels.names().stream()
                .map(name -> List.of(link(name), TrainingModels.factory(name).description()))
                .toList();
    }

    private static String link(String name) {
        return "[" + name + "](#" + name + ")";
    }

    private static String table(String name) {
        StringBuilder table = new StringBuilder("<!-- options: " + name + " -->\n");
        table.append("| option | default | what |\n| --- | --- | --- |\n");
        for (TrainingModelFactory factory : ServiceLoader.load(TrainingModelFactory.class)) {
            if (factory.name().equals(name)) {
                for (ModelOption option : factory.options()) {
                    table.append("| `--").append(option.name()).append("` | ");
                    table.append(option.defaultValue()).append(" | ");
                    table.append(option.description()).append(" |\n");
                }
            }
        }
        return table.append("<!-- end -->\n").toString();
    }
}
