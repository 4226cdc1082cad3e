package io.github.flinkps.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A table in {@code docs/} that is generated from code: a test compares the file with what the code
 * says, and writes it when run with {@code -Ddocs.update=true}.
 */
public final class GeneratedDoc {
    private GeneratedDoc() {}

    /** Fails if {@code docs/NAME} is not {@code title}, {@code introduction} and the table. */
    public static void check(
            String name,
            String title,
            String introduction,
            List<String> header,
            List<List<String>> rows)
            throws IOException {
        StringBuilder text = new StringBuilder("<!-- Generated: see CONTRIBUTING.md -->\n# ");
        text.append(title).append("\n\n").append(introduction).append("\n\n");
        row(text, header);
        row(text, header.stream().map(cell -> "---").toList());
        rows.forEach(cells -> row(text, cells));
        Path file = RealData.repository().resolve("docs").resolve(name);
        if (Boolean.getBoolean("docs.update")) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        }
        assertThat(file).exists();
        assertThat(Files.readString(file))
                .as("docs/%s, which -Ddocs.update=true writes anew", name)
                .isEqualTo(text.toString());
    }

    /**
     * Fails if what stands between {@code <!-- table: TABLE -->} and {@code <!-- end -->} in {@code
     * docs/NAME}, whose text is written by hand, is not the table.
     */
    public static void checkTable(
            String name, String table, List<String> header, List<List<String>> rows)
            throws IOException {
        StringBuilder text = new StringBuilder("<!-- table: " + table + " -->\n");
        row(text, header);
        row(text, header.stream().map(cell -> "---").toList());
        rows.forEach(cells -> row(text, cells));
        text.append("<!-- end -->\n");
        Path file = RealData.repository().resolve("docs").resolve(name);
        String page = Files.readString(file);
        Matcher place =
                Pattern.compile("<!-- table: " + table + " -->\n.*?<!-- end -->\n", Pattern.DOTALL)
                        .matcher(page);
        assertThat(place.find()).as("table %s in docs/%s", table, name).isTrue();
        if (Boolean.getBoolean("docs.update")) {
            String before = page.substring(0, place.start());
            Files.writeString(file, before + text + page.substring(place.end()));
            return;
        }
        assertThat(place.group())
                .as("table %s of docs/%s, which -Ddocs.update=true writes anew", table, name)
                .isEqualTo(text.toString());
    }

    private static void row(StringBuilder text, List<String> cells) {
        text.append("| ")
                .append(String.join(" | ", cells.stream().map(c -> c.replace("|", "\\|")).toList()))
                .append(" |\n");
    }
}
