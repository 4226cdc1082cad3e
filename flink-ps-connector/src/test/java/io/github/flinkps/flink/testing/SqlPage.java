package io.github.flinkps.flink.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.testing.RealData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.table.api.TableEnvironment;

/**
 * A page of {@code docs/} whose {@code sql} blocks are run, one after the other, and whose {@code
 * text} blocks must be what the block before printed, as SQL's client would print it. {@code
 * -Ddocs.update=true} writes those that differ anew.
 *
 * <ul>
 *   <li>A block holds one statement or several; {@code INSERT} is awaited, {@code SET 'key' =
 *       'value'} sets the session's option.
 *   <li>A block whose last statement is to fail is followed by a text block that begins with {@code
 *       [ERROR]}.
 *   <li>{@code ...} in a text block stands for anything within a line. Ids of versions may differ:
 *       one that is shown stands, wherever it comes again, for the one that was seen.
 *   <li>{@code <!-- new session -->} before a block goes on in an environment that knows nothing of
 *       the one before.
 * </ul>
 */
public final class SqlPage {
    private static final Pattern BLOCK =
            Pattern.compile(
                    "(<!-- new session -->)|^```sql\n(.*?)^```$(?:\\s*^```text\n(.*?)^```$)?",
                    Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern ID = Pattern.compile("\\d{8}T\\d{9}Z");
    private static final Pattern BLANKS = Pattern.compile("[ \t]+");
    private static final Pattern RULE = Pattern.compile("-{2,}");

    private final Path file;
    private final Map<String, String> replaced = new HashMap<>();
    private final Map<String, String> ids = new HashMap<>();

    SqlPage(Path file) {
        this.file = file;
    }

    /** A session with the SQL. */
    @FunctionalInterface
    public interface Sessions {
        TableEnvironment open();
    }

    /** A page of {@code docs/}, by name. */
    public static SqlPage of(String name) {
        return new SqlPage(RealData.repository().resolve("docs").resolve(name));
    }

    /** Runs with {@code other} wherever the page says {@code text}. */
    public SqlPage replace(String text, String other) {
        replaced.put(text, other);
        return this;
    }

    /** Runs all of it; fails at the first block that prints something else, or fails itself. */
    public void run(Sessions sessions) throws IOException {
        String page = Files.readString(file);
        boolean update = Boolean.getBoolean("docs.update");
        StringBuilder renewed = new StringBuilder();
        SqlSession session = new SqlSession(sessions.open());
        Matcher block = BLOCK.matcher(page);
        while (block.find()) {
            if (block.group(1) != null) {
                session = new SqlSession(sessions.open());
                continue;
            }
            String expected = block.group(3);
            String printed = run(session, block.group(2), expected);
            boolean same = expected == null ? printed.isEmpty() : matches(expected, printed);
            if (!same && !update) {
                assertThat(back(printed))
                        .as("what this prints, in %s:\n%s", file, block.group(2))
                        .isEqualTo(expected == null ? "" : expected);
            }
            if (!same) {
                String text = "```sql\n" + block.group(2) + "```\n\n```text\n" + back(printed);
                block.appendReplacement(renewed, Matcher.quoteReplacement(text + "```"));
            }
        }
        block.appendTail(renewed);
        if (!page.contentEquals(renewed)) {
            Files.writeString(file, renewed);
        }
    }

    private String run(SqlSession session, String statements, String expected) {
        StringBuilder printed = new StringBuilder();
        List<String> all = split(statements);
        for (int i = 0; i < all.size(); i++) {
            boolean mayFail =
                    i == all.size() - 1 && expected != null && expected.startsWith("[ERROR]");
            printed.append(session.run(forth(all.get(i)), mayFail));
        }
        return printed.toString();
    }

    /** Statements end with a semicolon at the end of a line, sets of them with {@code END;}. */
    private static List<String> split(String block) {
        List<String> statements = new ArrayList<>();
        StringBuilder statement = new StringBuilder();
        for (String line : block.split("\n")) {
            if (line.isBlank() || line.startsWith("--")) {
                continue;
            }
            statement.append(line).append('\n');
            boolean set = statement.toString().contains("STATEMENT SET");
            if (set ? line.equals("END;") : line.endsWith(";")) {
                statements.add(statement.toString().strip().replaceAll(";$", ""));
                statement.setLength(0);
            }
        }
        if (statement.length() > 0) {
            throw new IllegalStateException("this lacks a semicolon: " + statement);
        }
        return statements;
    }

    private String forth(String text) {
        String result = text;
        for (Map.Entry<String, String> entry : replaced.entrySet()) {
            result = result.replace(entry.getKey(), entry.getValue());
        }
        return ID.matcher(result)
                .replaceAll(found -> ids.getOrDefault(found.group(), found.group()));
    }

    private String back(String text) {
        String result = text;
        for (Map.Entry<String, String> entry : replaced.entrySet()) {
            result = result.replace(entry.getValue(), entry.getKey());
        }
        for (Map.Entry<String, String> entry : ids.entrySet()) {
            result = result.replace(entry.getValue(), entry.getKey());
        }
        return result;
    }

    /** Widths of columns apart, which change with what stands for a path or an id. */
    private static String narrow(String text) {
        return RULE.matcher(BLANKS.matcher(text).replaceAll(" ")).replaceAll("--").strip();
    }

    private boolean matches(String expected, String printed) {
        String shown = narrow(expected);
        List<String> unknown = new ArrayList<>();
        StringBuilder pattern = new StringBuilder();
        Matcher part = Pattern.compile(ID.pattern() + "|\\.\\.\\.").matcher(shown);
        int end = 0;
        while (part.find()) {
            pattern.append(Pattern.quote(shown.substring(end, part.start())));
            pattern.append(part(part.group(), unknown));
            end = part.end();
        }
        pattern.append(Pattern.quote(shown.substring(end)));
        Matcher actual = Pattern.compile(pattern.toString()).matcher(narrow(back(printed)));
        boolean same = actual.matches();
        for (int i = 0; same && i < unknown.size(); i++) {
            ids.put(unknown.get(i), actual.group(i + 1));
        }
        return same;
    }

    private String part(String text, List<String> unknown) {
        if (text.equals("...")) {
            return ".*";
        }
        if (ids.containsKey(text)) {
            return text;
        }
        if (unknown.contains(text)) {
            return "\\" + (unknown.indexOf(text) + 1);
        }
        unknown.add(text);
        return "(" + ID.pattern() + ")";
    }
}
