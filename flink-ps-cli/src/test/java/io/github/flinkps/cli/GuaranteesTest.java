package io.github.flinkps.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.testing.RealData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks that whatever pages say is guaranteed is shown by tests that exist. */
class GuaranteesTest {
    private static final Pattern TEST = Pattern.compile("`(\\w+(?:ITCase|Test))(?:\\.(\\w+))?`");

    @ParameterizedTest
    @CsvSource({"README.md,8", "docs/guarantees.md,8", "docs/push-filters.md,3"})
    void everyTestNamedIsThere(String page, int more) throws IOException {
        Path repository = RealData.repository();
        List<MatchResult> named =
                TEST.matcher(Files.readString(repository.resolve(page))).results().toList();
        Map<String, Path> there;
        try (Stream<Path> files = Files.walk(repository, 14)) {
            there =
                    files.filter(file -> file.toString().endsWith(".java"))
                            .collect(
                                    Collectors.toMap(
                                            file -> file.getFileName().toString(),
                                            file -> file,
                                            (one, other) -> one));
        }
        assertThat(named.stream().map(match -> match.group(1)).distinct()).hasSizeGreaterThan(more);
        for (MatchResult match : named) {
            Path test = there.get(match.group(1) + ".java");
            assertThat(test).as(match.group()).isNotNull();
            if (match.group(2) != null) {
                assertThat(Files.readString(test)).contains("void " + match.group(2) + "(");
            }
        }
    }
}
