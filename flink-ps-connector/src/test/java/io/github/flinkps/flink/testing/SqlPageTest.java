package io.github.flinkps.flink.testing;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqlPageTest {
    @TempDir Path folder;

    private void run(String page) throws IOException {
        Path file = folder.resolve("page.md");
        Files.writeString(file, page.replace("~", "```"));
        new SqlPage(file)
                .replace("WORD", "a long word")
                .run(() -> TableEnvironment.create(EnvironmentSettings.inBatchMode()));
    }

    @Test
    void comparesWhatIsPrinted() throws IOException {
        run(
                """
                Numbers.

                ~sql
                -- said of both
                SET 'pipeline.name' = 'x';
                CREATE TEMPORARY VIEW numbers AS
                  SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS t (n, a_long_word);
                SHOW VIEWS;
                ~

                ~text
                +---------+
                | ... |
                +---------+
                | numbers |
                +---------+
                1 row in set
                ~

                <!-- new session -->
                ~sql
                DESCRIBE numbers;
                ~

                ~text
                [ERROR] Could not execute SQL statement. Reason:
                ...ValidationException: Tables or views with the identifier '....numbers' doesn't exist.
                ~
                """);
    }

    @Test
    void anIdThatIsShownIsTheOneThatIsUsed() throws IOException {
        run(
                """
                ~sql
                SELECT '20260131T235959124Z' AS id, 'WORD' AS word;
                ~

                ~text
                +---------------------+------+
                |                  id | word |
                +---------------------+------+
                | 20000131T000000000Z | WORD |
                +---------------------+------+
                1 row in set
                ~

                ~sql
                SELECT '20000131T000000000Z' = CONCAT('20260131T', '235959124Z') AS same;
                ~

                ~text
                +------+
                | same |
                +------+
                | TRUE |
                +------+
                1 row in set
                ~
                """);
    }

    @Test
    void failsWhereSomethingElseIsPrinted() {
        assertThatThrownBy(() -> run("~sql\nSHOW TABLES;\n~\n\n~text\n1 row in set\n~\n"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("SHOW TABLES");
        assertThatThrownBy(() -> run("~sql\nSELECT x;\n~\n"))
                .isInstanceOf(IllegalStateException.class);
    }
}
