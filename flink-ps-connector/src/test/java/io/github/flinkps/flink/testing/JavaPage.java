package io.github.flinkps.flink.testing;

import io.github.flinkps.testing.RealData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page of {@code docs/} whose {@code java} blocks are programs, each followed by a {@code text}
 * block of what it prints.
 */
public final class JavaPage {
    private static final Pattern PROGRAM =
            Pattern.compile(
                    "^```java\n(.*?public class (\\w+).*?)^```$\\s*^```text\n(.*?)^```$",
                    Pattern.DOTALL | Pattern.MULTILINE);

    private final Path file;

    /**
     * A program of a page.
     *
     * @param name of its class
     * @param source as the page shows it
     * @param output as the page shows it
     */
    public record Program(String name, String source, String output) {}

    /** A page of {@code docs/}, by name. */
    public JavaPage(String name) {
        this.file = RealData.repository().resolve("docs").resolve(name);
    }

    /** The file. */
    public Path file() {
        return file;
    }

    /**
     * Returns the programs of the page, in their order.
     *
     * @throws IllegalStateException if a block is none
     */
    public List<Program> programs() throws IOException {
        String page = Files.readString(file);
        List<Program> programs = new ArrayList<>();
        Matcher program = PROGRAM.matcher(page);
        while (program.find()) {
            programs.add(new Program(program.group(2), program.group(1), program.group(3)));
        }
        int blocks = page.split("```java", -1).length - 1;
        if (blocks != programs.size()) {
            throw new IllegalStateException(
                    blocks + " blocks of " + file + ", but " + programs.size() + " programs");
        }
        return programs;
    }
}
