package io.github.flinkps.flink.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.UpdateSpec;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BuildersTest {
    private static final Set<String> OF_ALL = Set.of("set", "optimizer", "build");

    /** Values that every model which has the option takes. */
    private static final Map<String, Object> VALUES =
            new TreeMap<>(
                    Map.ofEntries(
                            Map.entry("features", 50L),
                            Map.entry("initialBias", .25),
                            Map.entry("partitions", 4),
                            Map.entry("factors", 5),
                            Map.entry("factorL2", .125),
                            Map.entry("initStd", .5),
                            Map.entry("initSeed", 7L),
                            Map.entry("task", "classification"),
                            Map.entry("labelMean", 0.),
                            Map.entry("labelUnit", 1.),
                            Map.entry("hidden", new int[] {4, 3}),
                            Map.entry("fields", 2),
                            Map.entry("classes", 4),
                            Map.entry("mean", 2.5),
                            Map.entry("negatives", 3),
                            Map.entry("candidates", 20),
                            Map.entry("items", 30L),
                            Map.entry("firstItem", 2L),
                            Map.entry("window", 4)));

    static Stream<TrainingModelFactory> ours() {
        return ServiceLoader.load(TrainingModelFactory.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(factory -> factory instanceof ReadingFactory);
    }

    private static String hyphenated(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    private static Map<String, Method> setters(Class<?> builder) {
        return Arrays.stream(builder.getMethods())
                .filter(method -> !method.isBridge() && !Modifier.isStatic(method.getModifiers()))
                .filter(method -> method.getDeclaringClass() != Object.class)
                .filter(method -> !OF_ALL.contains(method.getName()))
                .collect(Collectors.toMap(Method::getName, method -> method));
    }

    /** All options of the factory can be set by a method, and do what they do by name. */
    @ParameterizedTest
    @MethodSource("ours")
    void haveTheOptionsOfTheFactory(TrainingModelFactory factory) throws Exception {
        Class<?> model = factory.getClass().getDeclaringClass();
        Object builder = model.getMethod("builder").invoke(null);
        Map<String, Method> setters = setters(builder.getClass());
        assertThat(setters.keySet().stream().map(BuildersTest::hyphenated))
                .containsExactlyInAnyOrderElementsOf(
                        factory.options().stream().map(ModelOption::name).toList());
        Map<String, String> named = new TreeMap<>(Map.of("optimizer", "adam", "beta1", "0.8"));
        for (Map.Entry<String, Object> value : VALUES.entrySet()) {
            Method setter = setters.get(value.getKey());
            if (setter != null) {
                assertThat(setter.invoke(builder, value.getValue())).isSameAs(builder);
                named.put(
                        hyphenated(value.getKey()),
                        value.getValue() instanceof int[] widths
                                ? Arrays.stream(widths)
                                        .mapToObj(String::valueOf)
                                        .collect(Collectors.joining(","))
                                : value.getValue().toString());
            }
        }
        ModelBuilder<?, ?> typed = (ModelBuilder<?, ?>) builder;
        typed.optimizer(UpdateSpec.of("adam").with("beta1", .8));
        TrainingModel built = typed.build();
        TrainingModel created = factory.create(named);
        assertThat(built.name()).isEqualTo(factory.name());
        assertThat(built.options()).isEqualTo(created.options());
        assertThat(built.tables()).isEqualTo(created.tables());
        assertThat(built.labels()).isEqualTo(created.labels());
    }

    @Test
    void mistakesAreNamed() {
        assertThatThrownBy(() -> Softmax.builder().build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("classes must be given");
        assertThatThrownBy(() -> LogisticRegression.builder().keyBits(65).build())
                .hasMessage("key-bits must be between 1 and 64, not 65");
        assertThatThrownBy(() -> LogisticRegression.builder().set("rate", "fast").build())
                .hasMessageContaining("rate must be a number");
    }
}
