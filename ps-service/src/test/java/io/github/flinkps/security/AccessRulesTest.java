package io.github.flinkps.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.security.AccessRules.Right;
import io.github.flinkps.testing.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccessRulesTest {
    @TempDir private Path folder;

    private AccessRules rules(String... lines) throws IOException {
        return AccessRules.ofFile(write(lines), null, true);
    }

    private String write(String... lines) throws IOException {
        return Files.writeString(folder.resolve("rules"), String.join("\n", lines)).toString();
    }

    @Test
    void theHighestRightOfAllLinesCounts() throws IOException {
        AccessRules rules =
                rules(
                        "# who may do what",
                        "",
                        "ads      train       ads-*",
                        "ads      read        *",
                        "Anna Lee read        a*z",
                        "ops      administer  *",
                        "*        read        public.*");
        assertThat(rules.rightOf("ads", "ads-clicks")).isEqualTo(Right.TRAIN);
        assertThat(rules.rightOf("ads", "ads")).isEqualTo(Right.READ);
        assertThat(rules.rightOf("Anna Lee", "a to z")).isEqualTo(Right.READ);
        assertThat(rules.rightOf("Anna Lee", "a to y")).isNull();
        assertThat(rules.rightOf("Lee", "az")).isNull();
        assertThat(rules.rightOf("ops", "")).isEqualTo(Right.ADMINISTER);
        assertThat(rules.rightOf("anybody", "public.x")).isEqualTo(Right.READ);
        assertThat(rules.rightOf("anybody", "publicx")).as("a dot is a dot").isNull();
        assertThat(AccessRules.none().rightOf("anybody", "x")).isEqualTo(Right.ADMINISTER);
    }

    @Test
    void changedRulesCountAndWrongOnesChangeNothing() throws IOException {
        AccessRules rules = rules("ads read *");
        write("ads train *");
        assertThat(rules.rightOf("ads", "x")).isEqualTo(Right.TRAIN);
        Path wrong = Path.of(write("ads"));
        Files.setLastModifiedTime(wrong, FileTime.from(Instant.now().plusSeconds(9)));
        assertThat(rules.rightOf("ads", "x")).isEqualTo(Right.TRAIN);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rulesOfWhichNothingIsLeftPermitNothing(boolean deleted) throws IOException {
        long[] now = {0};
        String file = write("ads train *");
        AccessRules rules = AccessRules.ofFile(file, null, true, () -> now[0]);
        if (deleted) {
            Files.delete(Path.of(file));
        } else {
            write("# nothing");
        }
        assertThat(rules.rightOf("ads", "x")).as("they may be written now").isEqualTo(Right.TRAIN);
        now[0] = TimeUnit.SECONDS.toNanos(1);
        assertThat(rules.rightOf("ads", "x")).isNull();
        write("ads read *");
        assertThat(rules.rightOf("ads", "x")).isEqualTo(Right.READ);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ads read            | line 1 is not CLIENT RIGHT MODELS
                    ads write *         | line 1: a right is read, train or administer, not 'write'
                    ads read *#ads train * | line 2 names ads and * a second time
                    # none              | has no line CLIENT RIGHT MODELS
                    """)
    void linesThatAreWrongAreNamed(String lines, String message) {
        assertThatThrownBy(() -> rules(lines.split("(?<=\\*)#")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("acl-file", "rules", message);
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> AccessRules.ofFile(folder.resolve("none").toString(), null, true))
                .hasMessageContaining("acl-file " + folder.resolve("none") + " cannot be read");
    }

    private String tokens(String... names) throws IOException {
        Path file = folder.resolve("tokens");
        Authority.writeSecret(
                file,
                Arrays.stream(names)
                        .map(name -> name + ":a-token-of-" + name + "-alone\n")
                        .collect(Collectors.joining()));
        return file.toString();
    }

    private static LogLines warnings() {
        return LogLines.warnings("io.github.flinkps.security");
    }

    @Test
    void aLineForNamesThatNoModelHasIsWarnedOf() throws IOException {
        try (LogLines log = warnings()) {
            rules(
                    "ads read *",
                    "ads read ads-*",
                    "ads read 2.Ads_x",
                    "# the others match nothing",
                    "ads read ads/*",
                    "ads read ads-?",
                    "ads read ads,search",
                    "ads read .ads",
                    "ads read " + "a".repeat(194),
                    "ads read *" + "a".repeat(193));
            String file = folder.resolve("rules").toString();
            assertThat(log.said())
                    .hasSize(5)
                    .allMatch(line -> line.startsWith("acl-file " + file + ": line "))
                    .anyMatch(line -> line.contains("line 5 is for models ads/*, and a job cannot"))
                    .anyMatch(line -> line.contains("line 6 is for models ads-?,"))
                    .anyMatch(line -> line.contains("line 7 is for models ads,search,"))
                    .anyMatch(line -> line.contains("line 8 is for models .ads,"))
                    .anyMatch(line -> line.contains("line 9 is for models aaa"));
        }
    }

    @Test
    void clientsThatNoTokenNamesAreWarnedOf() throws IOException {
        String tokens = tokens("ads");
        String rules = write("ads read *", "* read public-*", "zoe read *", "Anna Lee train a*");
        String warning =
                "acl-file "
                        + rules
                        + " has lines for Anna Lee, zoe, and token-file "
                        + tokens
                        + " has no token of that name: they permit nothing";
        assertThat(warned(rules, tokens, false)).containsExactly(warning);
        assertThat(warned(rules, tokens, true))
                .containsExactly(warning + " unless a certificate has this name");
        assertThat(warned(rules, null, true)).as("nobody knows whom they name").isEmpty();
        assertThat(warned(rules, tokens("ads", "zoe", "Anna Lee"), true)).isEmpty();
    }

    private static List<String> warned(String rules, String tokens, boolean certificates) {
        try (LogLines log = warnings()) {
            AccessRules.ofFile(rules, tokens, certificates);
            return log.said();
        }
    }

    @Test
    void changedRulesAreLookedAtAgain() throws IOException {
        String tokens = tokens("ads");
        try (LogLines log = warnings()) {
            AccessRules rules = AccessRules.ofFile(write("ads read *"), tokens, false);
            tokens("ads", "new");
            write("ads read *", "new read new-*", "old read x");
            assertThat(rules.rightOf("new", "new-1")).isEqualTo(Right.READ);
            assertThat(rules.rightOf("ads", "x")).isEqualTo(Right.READ);
            assertThat(log.said())
                    .hasSize(1)
                    .allMatch(line -> line.contains("has lines for old, and token-file"));
            write("ads read ads/*");
            assertThat(rules.rightOf("ads", "ads-1")).isNull();
            assertThat(log.said())
                    .hasSize(2)
                    .anyMatch(line -> line.contains("line 1 is for models ads/*"));
        }
    }

    /** Leaves a broken file of tokens to whoever lets clients in. */
    @Test
    void tokensThatAreWrongDoNotHoldUpRules() throws IOException {
        String tokens = tokens("ads");
        AccessRules rules = AccessRules.ofFile(write("ads read *"), tokens, false);
        Files.writeString(Path.of(tokens), "no token");
        write("ads train *");
        assertThat(rules.rightOf("ads", "x")).isEqualTo(Right.TRAIN);
    }
}
