package io.github.flinkps.flink.algorithm;

import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;

/** Finds models by name on the class path. */
public final class TrainingModels {
    private TrainingModels() {}

    /** Returns the names of the algorithms there are, in order. */
    public static Set<String> names() {
        return factories().keySet();
    }

    /**
     * Returns the factory of a name.
     *
     * @throws IllegalArgumentException when none has that name, naming those there are
     */
    public static TrainingModelFactory factory(String name) {
        Map<String, TrainingModelFactory> known = factories();
        TrainingModelFactory factory = known.get(name);
        if (factory == null) {
            throw new IllegalArgumentException(
                    "unknown algorithm '"
                            + name
                            + "'; there are "
                            + String.join(", ", known.keySet()));
        }
        return factory;
    }

    /** Returns whether an algorithm of that name comes with the connector. */
    public static boolean isBuiltIn(String name) {
        TrainingModelFactory found = factories().get(name);
        String home = TrainingModels.class.getPackageName();
        return found != null && found.getClass().getName().startsWith(home);
    }

    /**
     * Returns the model of a name and its options.
     *
     * @throws IllegalArgumentException when no factory has that name, naming those there are, or
     *     naming the option that is wrong
     */
    public static TrainingModel create(String name, Map<String, String> options) {
        return factory(name).create(options);
    }

    /**
     * Returns those beside this class, as a thread of Flink may not see its jar, and the thread's
     * own.
     *
     * @throws IllegalArgumentException for one that cannot be made
     */
    private static Map<String, TrainingModelFactory> factories() {
        Map<String, TrainingModelFactory> all = new TreeMap<>();
        try {
            addAll(TrainingModels.class.getClassLoader(), all);
            addAll(Thread.currentThread().getContextClassLoader(), all);
        } catch (ServiceConfigurationError e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        return all;
    }

    private static void addAll(ClassLoader loader, Map<String, TrainingModelFactory> all) {
        if (loader != null) {
            for (TrainingModelFactory factory :
                    ServiceLoader.load(TrainingModelFactory.class, loader)) {
                all.putIfAbsent(factory.name(), factory);
            }
        }
    }
}
