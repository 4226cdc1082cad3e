package io.github.flinkps.flink.algorithm;

import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeSet;

/** Finds models by name on the class path. */
public final class TrainingModels {
    private TrainingModels() {}

    /**
     * The model of a name and its options.
     *
     * @throws IllegalArgumentException when no factory has that name, naming those there are
     */
    public static TrainingModel create(String name, Map<String, String> options) {
        TreeSet<String> known = new TreeSet<>();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        ClassLoader loader = context == null ? TrainingModels.class.getClassLoader() : context;
        for (TrainingModelFactory factory :
                ServiceLoader.load(TrainingModelFactory.class, loader)) {
            if (factory.name().equals(name)) {
                return factory.create(options);
            }
            known.add(factory.name());
        }
        throw new IllegalArgumentException(
                "unknown algorithm '" + name + "'; there are " + String.join(", ", known));
    }
}
