package io.github.flinkps.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.flink.testing.OptionTable;
import io.github.flinkps.testing.GeneratedDoc;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.description.HtmlFormatter;
import org.junit.jupiter.api.Test;

class PsOptionsTest {
    private static List<ConfigOption<?>> options() throws IllegalAccessException {
        List<ConfigOption<?>> options = new ArrayList<>();
        for (Field field : PsOptions.class.getFields()) {
            options.add((ConfigOption<?>) field.get(null));
        }
        return options;
    }

    @Test
    void haveATable() throws Exception {
        List<List<String>> rows = new ArrayList<>();
        for (ConfigOption<?> option : options()) {
            rows.add(
                    List.of(
                            "`" + option.key() + "`",
                            OptionTable.byDefault(option),
                            new HtmlFormatter().format(option.description())));
        }
        GeneratedDoc.check(
                "options.md",
                "Options of a job",
                "The constants of `io.github.flinkps.flink.PsOptions`, set by `set` on what"
                    + " `FlinkPs.train` and `FlinkPs.score` return. The options of a model and its"
                    + " optimizer are given where the model is built. For Flink 1.20, 2.2 and 2.3;"
                    + " [surfaces.md](surfaces.md) says what is run on each.",
                List.of("option", "default", "meaning"),
                rows);
    }

    @Test
    void haveNamesOfTheirOwn() throws Exception {
        assertThat(options()).extracting(ConfigOption::key).doesNotHaveDuplicates();
    }
}
