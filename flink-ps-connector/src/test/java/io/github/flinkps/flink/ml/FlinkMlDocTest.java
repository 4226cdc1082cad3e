package io.github.flinkps.flink.ml;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.testing.RealData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.apache.flink.ml.param.Param;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the programs of {@code docs/flink-ml.md}, and keeps its tables as the code says. */
@Timeout(240)
class FlinkMlDocTest {
    private static final Path PAGE = RealData.repository().resolve("docs/flink-ml.md");
    private static final Pattern PROGRAM =
            Pattern.compile(
                    "^```java\n(.*?public class (\\w+).*?)^```$\\s*^```text\n(.*?)^```$",
                    Pattern.DOTALL | Pattern.MULTILINE);

    @TempDir Path folder;

    @Test
    void programsPrintWhatThePageSays() throws Exception {
        String page = Files.readString(PAGE);
        Matcher program = PROGRAM.matcher(page);
        int found = 0;
        while (program.find()) {
            found++;
            String source = program.group(1).replace("/tmp/", folder + "/");
            assertThat(run(source, program.group(2))).isEqualTo(program.group(3));
        }
        assertThat(found).isEqualTo(page.split("```java").length - 1).isEqualTo(2);
    }

    private String run(String source, String name) throws Exception {
        Path file = folder.resolve(name + ".java");
        Files.writeString(file, source);
        String path = System.getProperty("java.class.path");
        String[] arguments = {"-proc:none", "-cp", path, "-d", folder.toString(), file.toString()};
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments)).isZero();
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        URL[] classes = {folder.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(classes, getClass().getClassLoader());
                PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            System.setOut(out);
            loader.loadClass(name)
                    .getMethod("main", String[].class)
                    .invoke(null, (Object) new String[0]);
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    void tablesAreThoseOfTheCode() throws IOException {
        List<String> stages = new ArrayList<>();
        stages.add("| stage | params beside those of all |\n| --- | --- |\n");
        TreeMap<String, Param<?>> params = new TreeMap<>();
        Set<String> ofAll = null;
        for (Pairs.Pair pair : Pairs.all()) {
            Set<String> names = names(pair.estimator().get(), params);
            names(pair.online().get(), params);
            if (ofAll == null) {
                ofAll = new TreeSet<>(names);
            }
            ofAll.retainAll(names);
        }
        for (Pairs.Pair pair : Pairs.all()) {
            Set<String> names = names(pair.estimator().get(), params);
            names.removeAll(ofAll);
            stages.add("| `" + pair + "` | " + listed(names) + " |\n");
        }
        StringBuilder all =
                new StringBuilder("| param | default | meaning |\n| --- | --- | --- |\n");
        params.values()
                .forEach(
                        param ->
                                all.append("| `" + param.name + "` | ")
                                        .append(defaultOf(param))
                                        .append(" | ")
                                        .append(param.description)
                                        .append(" |\n"));
        String page = Files.readString(PAGE);
        String expected = filled(page, "stages", String.join("", stages));
        expected = filled(expected, "params", all.toString());
        if (Boolean.getBoolean("docs.update")) {
            Files.writeString(PAGE, expected);
            page = expected;
        }
        assertThat(page)
                .as("docs/flink-ml.md, whose tables -Ddocs.update=true writes anew")
                .isEqualTo(expected);
    }

    private static String listed(Set<String> names) {
        return String.join(", ", names.stream().map(name -> "`" + name + "`").toList());
    }

    private static String defaultOf(Param<?> param) {
        return param.defaultValue instanceof Object[]
                ? ""
                : Objects.toString(param.defaultValue, "");
    }

    private static Set<String> names(PsEstimator<?, ?> estimator, Map<String, Param<?>> params) {
        Set<String> names = new TreeSet<>();
        for (Param<?> param : estimator.getParamMap().keySet()) {
            params.put(param.name, param);
            names.add(param.name);
        }
        return names;
    }

    private static String filled(String page, String name, String table) {
        Pattern place =
                Pattern.compile(
                        "(<!-- table: " + name + " -->\n).*?(<!-- end -->)", Pattern.DOTALL);
        Matcher found = place.matcher(page);
        assertThat(found.find()).as(name).isTrue();
        return found.replaceFirst("$1" + Matcher.quoteReplacement(table) + "$2");
    }
}
