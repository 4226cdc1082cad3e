package io.github.flinkps.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.flink.testing.OptionTable;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
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
        OptionTable.check("options.md", "job", options());
    }

    @Test
    void haveNamesOfTheirOwn() throws Exception {
        assertThat(options()).extracting(ConfigOption::key).doesNotHaveDuplicates();
    }
}
