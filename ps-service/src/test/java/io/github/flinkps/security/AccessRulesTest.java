package io.github.flinkps.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.security.AccessRules.Right;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessRulesTest {
    @TempDir private Path folder;

    private AccessRules rules(String... lines) throws IOException {
        return AccessRules.ofFile(write(lines));
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
        assertThat(rules.clients()).containsExactly("Anna Lee", "ads", "ops");
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
        assertThatThrownBy(() -> AccessRules.ofFile(folder.resolve("none").toString()))
                .hasMessageContaining("acl-file " + folder.resolve("none") + " cannot be read");
    }
}
