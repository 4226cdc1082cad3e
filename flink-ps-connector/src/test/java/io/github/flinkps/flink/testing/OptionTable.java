package io.github.flinkps.flink.testing;

import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.testing.GeneratedDoc;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.description.HtmlFormatter;

/** Options as a table of a page of {@code docs/}. */
public final class OptionTable {
    private OptionTable() {}

    /**
     * Fails if a page lacks an option, or says something else of it.
     *
     * @param table its name on the page
     */
    public static void check(String page, String table, List<ConfigOption<?>> options)
            throws IOException {
        List<List<String>> rows = new ArrayList<>();
        for (ConfigOption<?> option : options) {
            rows.add(
                    List.of(
                            "`" + option.key() + "`",
                            byDefault(option),
                            new HtmlFormatter()
                                    .format(option.description())
                                    .replaceAll("</?code[^>]*>", "`")));
        }
        GeneratedDoc.checkTable(page, table, List.of("option", "default", "meaning"), rows);
    }

    /** Returns what a page says of an option that is not set. */
    public static String byDefault(ConfigOption<?> option) {
        if (option.equals(PsOptions.MODEL_ROOT)) {
            return "`flink-ps` in the temporary folder"; // which is another elsewhere
        }
        Object value = option.defaultValue();
        if (value == null || value instanceof List<?> all && all.isEmpty()) {
            return "";
        }
        return value instanceof Duration time ? time.toSeconds() + " s" : value.toString();
    }
}
