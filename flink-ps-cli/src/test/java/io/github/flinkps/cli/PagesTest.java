package io.github.flinkps.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.testing.RealData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks the language of the pages and their links: the mechanical part of what CONTRIBUTING.md
 * asks of them. Decisions ({@code docs/adr}) and generated pages may have longer sentences.
 */
class PagesTest {
    /** Most words of a sentence. Semicolons end one in tables only. */
    private static final int LIMIT = 30;

    /** Words of our own for what has a name in the field, and what to write instead. */
    private static final List<String> COINAGES =
            List.of(
                    "rows that validate", // validation rows
                    "rows that test", // test rows
                    "behind the end", // after the end
                    "by whomever", // name the actor
                    "who is told", // name the actor
                    "as above"); // say it again, or link

    private static final Pattern END = Pattern.compile("(?<=[.!?])[)*]*\\s+");
    private static final Pattern END_IN_CELL = Pattern.compile("(?<=[.!?;])[)*]*\\s+");
    private static final Pattern LINK = Pattern.compile("\\[([^]]*)]\\(([^)\\s]+)\\)");
    private static final Pattern CODE = Pattern.compile("`[^`]*`");
    private static final Path ROOT = RealData.repository();

    static List<String> pages() throws IOException {
        List<String> pages =
                new ArrayList<>(
                        List.of(
                                "README.md",
                                "ARCHITECTURE.md",
                                "CONTRIBUTING.md",
                                "examples/README.md",
                                "flink-ps-python/README.md"));
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            files.filter(file -> file.toString().endsWith(".md"))
                    .map(file -> ROOT.relativize(file).toString())
                    .sorted()
                    .forEach(pages::add);
        }
        return pages;
    }

    static List<String> writtenPages() throws IOException {
        List<String> written = new ArrayList<>();
        for (String page : pages()) {
            boolean generated = text(page).startsWith("<!-- Generated");
            if (!generated && !page.startsWith("docs/adr/")) {
                written.add(page);
            }
        }
        return written;
    }

    private static String text(String page) throws IOException {
        return Files.readString(ROOT.resolve(page));
    }

    @ParameterizedTest
    @MethodSource("writtenPages")
    void sentencesAreShort(String page) throws IOException {
        List<String> sentences = sentences(text(page));
        assertThat(sentences).as("sentences of %s", page).isNotEmpty();
        assertThat(sentences.stream().filter(sentence -> words(sentence) > LIMIT))
                .as("sentences of %s of more than %d words", page, LIMIT)
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("writtenPages")
    void noWordIsOurOwnWithoutNeed(String page) throws IOException {
        assertThat(sentences(text(page)).stream().filter(PagesTest::hasCoinage))
                .as("sentences of %s with one of %s", page, COINAGES)
                .isEmpty();
    }

    private static boolean hasCoinage(String sentence) {
        return COINAGES.stream().anyMatch(sentence.toLowerCase(Locale.ROOT)::contains);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void linksLeadSomewhere(String page) throws IOException {
        List<String> lost = new ArrayList<>();
        for (MatchResult link : LINK.matcher(prose(text(page))).results().toList()) {
            String target = link.group(2);
            if (target.startsWith("http") || target.contains("{")) {
                continue;
            }
            String[] parts = target.split("#", 2);
            Path file = parts[0].isEmpty() ? Path.of(page) : beside(page, parts[0]);
            boolean there = Files.exists(ROOT.resolve(file));
            if (there && parts.length > 1) {
                there = anchors(text(file.toString())).contains(parts[1]);
            }
            if (!there) {
                lost.add(target);
            }
        }
        assertThat(lost).as("links of %s to what is not there", page).isEmpty();
    }

    @Test
    void theIndexNamesEveryPage() throws IOException {
        String index = text("docs/README.md");
        try (Stream<Path> files = Files.list(ROOT.resolve("docs"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .filteredOn(name -> !name.equals("README.md"))
                    .allSatisfy(name -> assertThat(index).contains("](" + name + ")"));
        }
    }

    /** The rules themselves, so that a page cannot pass because nothing is looked at. */
    @Test
    void findsSentences() {
        String page =
                """
                # A heading is none

                One two. Three `four five`
                six.

                - Seven; eight.
                | nine | ten. Eleven; twelve |
                ```
                code
                ```
                <!-- table: generated -->
                | left | out |
                <!-- end -->
                """;
        assertThat(sentences(page))
                .containsExactly(
                        "One two.",
                        "Three X six.",
                        "Seven; eight.",
                        "nine",
                        "ten.",
                        "Eleven;",
                        "twelve");
        assertThat(words("Three X six (a-b, c).")).isEqualTo(5);
        assertThat(anchors("# A `b`, c\n## How to add ...\n"))
                .containsExactly("a-b-c", "how-to-add-");
    }

    private static Path beside(String page, String target) {
        Path folder = Path.of(page).getParent();
        return (folder == null ? Path.of(target) : folder.resolve(target)).normalize();
    }

    /** Returns the anchors that a page's headings make. */
    private static List<String> anchors(String page) {
        return Pattern.compile("^#+ (.*)$", Pattern.MULTILINE)
                .matcher(page)
                .results()
                .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
                .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
                .toList();
    }

    private static long words(String sentence) {
        return Stream.of(sentence.split("\\s+")).filter(word -> word.matches(".*\\w.*")).count();
    }

    /** Returns a page without blocks of code and generated tables. */
    private static String prose(String page) {
        return page.replaceAll("(?ms)^```.*?^```$", "\n")
                .replaceAll("(?ms)^<!-- (table|options).*?^<!-- end -->$", "\n");
    }

    /** Returns the sentences of a page: those of paragraphs, items of lists and cells of tables. */
    private static List<String> sentences(String page) {
        List<String> sentences = new ArrayList<>();
        StringBuilder paragraph = new StringBuilder();
        for (String line : (prose(page) + "\n\n").split("\n", -1)) {
            boolean row = line.startsWith("|");
            boolean item = line.matches("\\s*([-*]|\\d+\\.) .*");
            boolean ends = row || item || line.isBlank() || line.matches("(#|<!--).*");
            if (ends) {
                split(paragraph.toString(), END, sentences);
                paragraph.setLength(0);
            }
            if (row) {
                for (String cell : line.split("(?<!\\\\)\\|")) {
                    split(cell, END_IN_CELL, sentences);
                }
            } else if (item) {
                paragraph.append(line.replaceFirst("\\s*([-*]|\\d+\\.) ", ""));
            } else if (!ends) {
                paragraph.append(' ').append(line);
            }
        }
        return sentences;
    }

    private static void split(String text, Pattern end, List<String> sentences) {
        String plain = LINK.matcher(CODE.matcher(text).replaceAll("X")).replaceAll("$1");
        end.splitAsStream(plain.strip()).filter(part -> words(part) > 0).forEach(sentences::add);
    }
}
