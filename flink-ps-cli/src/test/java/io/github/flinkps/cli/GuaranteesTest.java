package io.github.flinkps.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.testing.RealData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What pages say is guaranteed is shown by tests that there are. */
class GuaranteesTest {
    private static final Pattern TEST = Pattern.compile("`(\\w+(?:ITCase|Test))`");

    @ParameterizedTest
    @CsvSource({"README.md,8", "docs/checkpoints.md,8", "docs/push-filters.md,3"})
    void everyTestNamedIsThere(String page, int more) throws IOException {
        Path repository = RealData.repository();
        Set<String> named =
                TEST.matcher(Files.readString(repository.resolve(page)))
                        .results()
                        .map((MatchResult match) -> match.group(1))
                        .collect(Collectors.toSet());
        Set<String> there;
        try (Stream<Path> files = Files.walk(repository, 14)) {
            there =
                    files.map(file -> file.getFileName().toString())
                            .filter(name -> name.endsWith(".java"))
                            .map(name -> name.substring(0, name.length() - ".java".length()))
                            .collect(Collectors.toSet());
        }
        assertThat(named).hasSizeGreaterThan(more).isSubsetOf(there);
    }
}
