package io.github.flinkps.cli.job;

import io.github.flinkps.flink.algorithm.ModelOption;
import io.github.flinkps.flink.algorithm.TrainingModels;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** The algorithms on the class path. */
public final class Algorithms {
    private Algorithms() {}

    public static Set<String> names() {
        return TrainingModels.names();
    }

    /**
     * Returns the options of an algorithm that are not its optimizer's; none for an unknown one.
     */
    public static List<ModelOption> own(String name) {
        return names().contains(name) ? TrainingModels.factory(name).options() : List.of();
    }

    /**
     * Returns the options of all algorithms by name, each as the algorithms that take it have it.
     */
    public static Map<String, Map<String, ModelOption>> options() {
        Map<String, Map<String, ModelOption>> options = new TreeMap<>();
        for (String name : names()) {
            for (ModelOption option : own(name)) {
                options.computeIfAbsent(option.name(), any -> new TreeMap<>()).put(name, option);
            }
        }
        return options;
    }

    /** Makes the model once, so that what it refuses is refused before anything starts. */
    public static void check(
            Function<String, ? extends RuntimeException> refusal,
            String name,
            Map<String, String> options) {
        try {
            TrainingModels.create(name, options);
        } catch (IllegalArgumentException e) {
            throw refusal.apply(e.getMessage());
        }
    }
}
