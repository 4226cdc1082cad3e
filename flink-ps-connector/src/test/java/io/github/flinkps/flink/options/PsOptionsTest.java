package io.github.flinkps.flink.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.ClientSecurity;
import io.github.flinkps.flink.service.LocalServerBackend;
import io.github.flinkps.flink.service.TaskHost;
import io.github.flinkps.flink.testing.OptionTable;
import io.github.flinkps.server.ServerConfig;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.description.HtmlFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PsOptionsTest {
    /** Also sees that each constant is declared, by its range and where it is taken. */
    @Test
    void haveATable() throws Exception {
        List<ConfigOption<?>> constants = new ArrayList<>();
        for (Field field : PsOptions.class.getFields()) {
            constants.add((ConfigOption<?>) field.get(null));
        }
        constants.addAll(EmbeddedServers.options());
        assertThat(PsOptions.all()).isEqualTo(constants);
        OptionTable.check("options.md", "job", PsOptions.all());
    }

    /** Checks the descriptions of options, which are the help of the command line, too. */
    @Test
    void areDescribedByNounPhrasesOfShortSentences() {
        for (ConfigOption<?> option : PsOptions.all()) {
            String text = new HtmlFormatter().format(option.description());
            assertThat(text).as(option.key()).doesNotMatch("(Of|As|Needs|Where|When|If|Also) .*");
            for (String sentence : text.split("(?<=[.:;]) ")) {
                assertThat(sentence.split(" ")).as(option.key()).hasSizeLessThanOrEqualTo(30);
            }
        }
    }

    @Test
    void haveNamesOfTheirOwn() {
        assertThat(PsOptions.all()).extracting(ConfigOption::key).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    model-name=a/b                | model-name must be 1 to 128 letters, digits, '.', '_' or '-', not 'a/b'
                    servers=0                     | servers must be between 1 and 4096, not 0
                    batch-size=0                  | batch-size must be at least 1, not 0
                    prefetch=-1                   | prefetch must be between 0 and 65536, not -1
                    prefetch=1                    | prefetch 1 does not go with consistency BSP, which allows 0
                    consistency=ssp&staleness=2&prefetch=3 | prefetch 3 does not go with consistency SSP, which allows 2
                    consistency=ssp               | consistency SSP needs the option staleness
                    consistency=ssp&staleness=-1  | staleness must be at least 0, not -1
                    staleness=0                   | staleness goes with consistency SSP only, not BSP
                    consistency=predicate         | consistency PREDICATE needs the option read-predicate
                    read-predicate=p              | read-predicate goes with consistency PREDICATE only, not BSP
                    validation-share=1            | validation-share must be above 0 and below 1, not 1
                    validation-share=NaN          | validation-share must be above 0 and below 1, not NaN
                    validation-share=0            | validation-share must be above 0 and below 1, not 0
                    validation-share=.5&patience=0 | patience must be at least 1, not 0
                    timeout=0s                    | timeout must be at least 1 ms, not 0 s
                    significance-threshold=-1     | significance-threshold must be a number of at least 0, not -1
                    push-share=0                  | push-share must be a number above 0 and at most 1, not 0
                    push-share=1.5                | push-share must be a number above 0 and at most 1, not 1.5
                    push-choice=random            | push-choice needs the option push-share
                    servers=1&remote=h:1          | either servers or remote: servers inside the job or such that run already
                    remote=h:1;h:1                | remote names the server h:1 twice
                    'remote=h:1, h:1'             | remote names the server h:1 twice
                    model-root=pom.xml            | option 'model-root': pom.xml is a file, not a folder
                    server-owners=0               | server-owners must be between 1 and 256, not 0
                    server-cut-hold-bytes=1k      | server-cut-hold-bytes must be at least 1048576, not 1024
                    remote=h:1&server-owners=1    | server-owners is for servers inside the job, not for those of remote
                    epochs=few                    | option 'epochs' cannot be 'few': it must be a number, a whole one
                    workers=few                   | option 'workers' cannot be 'few': it must be a number, a whole one
                    patience=1.5                  | option 'patience' cannot be '1.5': it must be a number, a whole one
                    validation-share=half         | option 'validation-share' cannot be 'half': it must be a number
                    guarantee=twice               | option 'guarantee' cannot be 'twice': it must be one of exactly-once, at-least-once
                    row-memory=lots               | option 'row-memory' cannot be 'lots': it must be a size, such as '64 mb'
                    linger=soon                   | option 'linger' cannot be 'soon': it must be a duration, such as '10 s'
                    """)
    void wrongValuesAreRefusedByName(String options, String message) {
        Map<String, String> given = new TreeMap<>();
        for (String option : options.split("&")) {
            String[] parts = option.split("=", 2);
            given.put(parts[0], parts[1]);
        }
        assertThatThrownBy(() -> OptionChecks.check(OptionChecks.read(given, PsOptions.all())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    /** An option of servers is one of jobs as soon as it is declared. */
    @Test
    void serversInsideTheJobHaveTheOptionsOfOthers() {
        Map<String, String> set =
                Map.of(
                        "server-owners", "3",
                        "server-key-cache-bytes", "64 mb",
                        "server-cut-hold-bytes", "32 mb");
        Map<String, String> given =
                EmbeddedServers.given(OptionChecks.read(set, PsOptions.of(OptionUse.TABLE)));
        ServerConfig config = ServerConfig.of(given, 1L << 30);
        assertThat(config.owners()).isEqualTo(3);
        assertThat(config.store().keyCacheBytes()).isEqualTo(64 << 20);
        assertThat(config.cuts().holdBytes()).isEqualTo(32 << 20);
        assertThatThrownBy(
                        () ->
                                new LocalServerBackend(
                                                Map.of("owners", "0"),
                                                ClientSecurity.NONE,
                                                Duration.ofSeconds(10))
                                        .startServer(0, 1, TaskHost.ofMachine(64 << 20)))
                .hasMessage("owners must be between 1 and 256, not 0");
    }

    /** Servers would wait as long as the job's checkpoints say, whatever the option said. */
    @Test
    void howLongCutsMayTakeIsNotAskedTwice() {
        assertThat(PsOptions.all())
                .extracting(ConfigOption::key)
                .contains("server-cut-hold-bytes", "server-cut-saved-bytes")
                .doesNotContain("server-cut-timeout");
    }

    @Test
    void jobsThatScoreTakeNoOptionsOfCuts() {
        assertThat(PsOptions.of(OptionUse.SCORING))
                .extracting(ConfigOption::key)
                .contains("server-key-cache-bytes")
                .noneMatch(key -> key.startsWith("server-cut-"));
    }

    @Test
    void patienceAloneValidatesWithItsShare() {
        Configuration options = new Configuration();
        assertThat(OptionChecks.validationShare(options)).isEmpty();
        options.set(PsOptions.PATIENCE, 2);
        OptionChecks.check(options);
        assertThat(OptionChecks.validationShare(options)).contains(0.1);
        options.set(PsOptions.SAVE_INTERVAL, Duration.ofSeconds(1));
        assertThatThrownBy(() -> OptionChecks.check(options))
                .hasMessageContaining("either save-interval or validation-share");
        options.removeConfig(PsOptions.SAVE_INTERVAL);
        options.set(PsOptions.VALIDATION_SHARE, 0.2);
        assertThat(OptionChecks.validationShare(options)).contains(0.2);
    }

    @Test
    void defaultsAreInRange() {
        Configuration defaults = new Configuration();
        PsOptions.all().forEach(option -> setDefault(defaults, option));
        PsOptions.check(defaults);
        OptionChecks.check(new Configuration());
    }

    private static <T> void setDefault(Configuration options, ConfigOption<T> option) {
        if (option.hasDefaultValue()) {
            options.set(option, option.defaultValue());
        }
    }
}
