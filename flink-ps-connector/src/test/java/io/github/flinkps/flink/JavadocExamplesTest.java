package io.github.flinkps.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.flink.testing.JavaPrograms;
import io.github.flinkps.testing.RealData;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of the connector's Javadoc compile, and each builder of a model has one. */
class JavadocExamplesTest {
    private static final Path SOURCES =
            RealData.repository().resolve("flink-ps-connector/src/main/java");
    private static final Pattern EXAMPLE =
            Pattern.compile("<pre>\\{@code\n(.*?)\n[ *]*}</pre>", Pattern.DOTALL);
    private static final Pattern MARGIN = Pattern.compile("^ *\\* ?", Pattern.MULTILINE);
    private static final String BUILDER = "public static Builder builder()";

    /** The class around an example, with what it may name without saying where it comes from. */
    private static final String WRAPPER =
            """
            import static org.apache.flink.table.api.Expressions.*;

            import io.github.flinkps.common.*;
            import io.github.flinkps.flink.*;
            import io.github.flinkps.flink.algorithm.*;
            import io.github.flinkps.flink.data.*;
            import io.github.flinkps.flink.options.*;
            import io.github.flinkps.flink.table.ModelOptions;
            import io.github.flinkps.flink.training.*;
            import java.time.Duration;
            import java.util.List;
            import org.apache.flink.streaming.api.datastream.DataStream;
            import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
            import org.apache.flink.table.api.Table;
            import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

            public class %s {
                public static void run(
                        StreamExecutionEnvironment env,
                        StreamTableEnvironment tables,
                        DataStream<RowBatch> rows,
                        DataStream<String> impressions,
                        DataStream<Long> requests,
                        RowExtractor<String> extractor,
                        RowExtractor<Long> requestExtractor,
                        TrainingModel model,
                        Table table,
                        Table visits)
                        throws Exception {
            %s
                }
            }
            """;

    @TempDir Path folder;

    private static List<Path> sources() throws IOException {
        try (Stream<Path> all = Files.walk(SOURCES)) {
            return all.filter(path -> path.toString().endsWith(".java")).sorted().toList();
        }
    }

    private static String className(Path source, int example) {
        return source.getFileName().toString().replace(".java", "") + "Example" + example;
    }

    /** Programs around the examples, by the names of their classes. */
    private static Map<String, String> examples() throws IOException {
        Map<String, String> programs = new TreeMap<>();
        for (Path source : sources()) {
            Matcher example = EXAMPLE.matcher(Files.readString(source));
            for (int i = 1; example.find(); i++) {
                String code = MARGIN.matcher(example.group(1)).replaceAll("");
                programs.put(className(source, i), WRAPPER.formatted(className(source, i), code));
            }
        }
        return programs;
    }

    @Test
    void examplesCompileAndBuildersBuild() throws Exception {
        Map<String, String> programs = examples();
        JavaPrograms compiled = new JavaPrograms(folder);
        assertThat(compiled.compile(programs)).isEmpty();
        int built = 0;
        for (Path source : sources()) {
            String name = className(source, 1);
            if (Files.readString(source).contains(BUILDER)) {
                assertThat(programs).as("examples in %s", source).containsKey(name);
                compiled.use(loader -> run(loader.loadClass(name)));
                built++;
            }
        }
        assertThat(built).isEqualTo(13);
        assertThat(programs).containsKeys("FlinkPsExample1", "TrainingExample1");
    }

    /** Runs an example that names no variable. */
    private static Object run(Class<?> example) throws IllegalAccessException {
        Method run =
                Arrays.stream(example.getMethods())
                        .filter(method -> method.getName().equals("run"))
                        .findFirst()
                        .orElseThrow();
        try {
            return run.invoke(null, new Object[run.getParameterCount()]);
        } catch (InvocationTargetException e) {
            throw new AssertionError(example.getName() + ": " + e.getCause().getMessage(), e);
        }
    }

    @Test
    void whatDoesNotCompileIsFound() throws IOException {
        String wrong = WRAPPER.formatted("Wrong", "FlinkPs.train(rows, model).start().losses();");
        assertThat(new JavaPrograms(folder).compile(Map.of("Wrong", wrong)))
                .contains("cannot find symbol", "losses");
    }
}
