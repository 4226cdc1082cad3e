package io.github.flinkps.examples.cluster;

import io.github.flinkps.testing.RealData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The commands of a section of the README, so that what is run is what is documented. */
final class Readme {
    /** In which its commands are run. */
    static final Path FOLDER = RealData.repository();

    private final String section;
    private final List<String> commands = new ArrayList<>();

    /**
     * @param section its heading
     */
    Readme(String section) throws IOException {
        this.section = section;
        String text = Files.readString(FOLDER.resolve("README.md"));
        int begin = text.indexOf("\n## " + section + "\n");
        if (begin < 0) {
            throw new AssertionError("the README has no section '" + section + "'");
        }
        int end = text.indexOf("\n## ", begin + 1);
        String[] parts = text.substring(begin, end < 0 ? text.length() : end).split("```");
        for (int i = 1; i < parts.length; i += 2) {
            parts[i].replaceAll("\\\\\n\\s*", "")
                    .lines()
                    .map(line -> line.replaceFirst("\\s+(#.*|&)$", "").strip())
                    .filter(line -> !line.isEmpty())
                    .forEach(commands::add);
        }
    }

    /** The one command that contains all of these. */
    String command(String... parts) {
        List<String> found =
                commands.stream()
                        .filter(command -> Stream.of(parts).allMatch(command::contains))
                        .toList();
        if (found.size() != 1) {
            throw new AssertionError(
                    "'%s' of the README has %d commands with %s: %s"
                            .formatted(section, found.size(), List.of(parts), commands));
        }
        return found.get(0);
    }
}
