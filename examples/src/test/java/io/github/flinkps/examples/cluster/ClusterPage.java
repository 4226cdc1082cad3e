package io.github.flinkps.examples.cluster;

import io.github.flinkps.testing.RealData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Reads the commands of a page of {@code docs}, so that tests run what is documented. */
final class ClusterPage {
    /** The folder of the repository, in which the commands are run. */
    static final Path FOLDER = RealData.repository();

    private final String page;
    private final List<String> commands = new ArrayList<>();

    ClusterPage() throws IOException {
        this("docs/cluster.md");
    }

    ClusterPage(String page) throws IOException {
        this.page = page;
        String[] parts = Files.readString(FOLDER.resolve(page)).split("```");
        for (int i = 1; i < parts.length; i += 2) {
            parts[i].replaceAll("\\\\\n\\s*", "")
                    .lines()
                    .map(line -> line.replaceFirst("\\s+(#.*|&)$", "").strip())
                    .filter(line -> !line.isEmpty())
                    .forEach(commands::add);
        }
    }

    /** Returns the one command that contains all of these; fails if there are more, or none. */
    String command(String... parts) {
        List<String> found =
                commands.stream()
                        .filter(command -> Stream.of(parts).allMatch(command::contains))
                        .toList();
        if (found.size() != 1) {
            throw new AssertionError(
                    "%s has %d commands with %s: %s"
                            .formatted(page, found.size(), List.of(parts), commands));
        }
        return found.get(0);
    }
}
