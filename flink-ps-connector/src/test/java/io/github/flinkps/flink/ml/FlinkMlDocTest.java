package io.github.flinkps.flink.ml;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.flink.testing.JavaPage;
import io.github.flinkps.flink.testing.JavaPrograms;
import java.io.IOException;
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
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.WithParams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the programs of {@code docs/flink-ml.md}, and keeps its tables as the code says. */
@Timeout(480)
class FlinkMlDocTest {
    private static final JavaPage PAGE = new JavaPage("flink-ml.md");

    @TempDir Path folder;

    @Test
    void programsPrintWhatThePageSays() throws Exception {
        List<JavaPage.Program> programs = PAGE.programs();
        for (JavaPage.Program program : programs) {
            String source = program.source().replace("/tmp/", folder + "/");
            assertThat(new JavaPrograms(folder).run(program.name(), source))
                    .isEqualTo(program.output());
        }
        assertThat(programs).hasSize(3);
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
        StringBuilder evaluators = new StringBuilder("| evaluator | params |\n| --- | --- |\n");
        for (Evaluator<?> each : List.of(new ClassificationEvaluator(), new RankingEvaluator())) {
            evaluators
                    .append("| `" + each.getClass().getSimpleName() + "` | ")
                    .append(listed(names(each, params)) + " |\n");
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
        String page = Files.readString(PAGE.file());
        String expected = filled(page, "stages", String.join("", stages));
        expected = filled(expected, "evaluators", evaluators.toString());
        expected = filled(expected, "params", all.toString());
        if (Boolean.getBoolean("docs.update")) {
            Files.writeString(PAGE.file(), expected);
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

    private static Set<String> names(WithParams<?> stage, Map<String, Param<?>> params) {
        Set<String> names = new TreeSet<>();
        for (Param<?> param : stage.getParamMap().keySet()) {
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
