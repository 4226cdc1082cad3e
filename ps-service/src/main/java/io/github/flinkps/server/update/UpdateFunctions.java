package io.github.flinkps.server.update;

import io.github.flinkps.common.UpdateSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Finds update functions by name: those beside this class and those that the thread's context class
 * loader sees. Thread-safe.
 */
public final class UpdateFunctions {
    private UpdateFunctions() {}

    /**
     * Returns the factories of all functions, by name.
     *
     * @throws IllegalArgumentException for two of one name, for one without name or input, and for
     *     one that cannot be made
     */
    public static Map<String, UpdateFunctionFactory> all() {
        Map<String, UpdateFunctionFactory> all = new TreeMap<>();
        try {
            addAll(UpdateFunctions.class.getClassLoader(), all);
            addAll(Thread.currentThread().getContextClassLoader(), all);
        } catch (ServiceConfigurationError e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        return all;
    }

    private static void addAll(ClassLoader loader, Map<String, UpdateFunctionFactory> all) {
        if (loader == null) {
            return;
        }
        for (UpdateFunctionFactory factory :
                ServiceLoader.load(UpdateFunctionFactory.class, loader)) {
            String own = factory.getClass().getName();
            if (factory.name() == null || factory.input() == null) {
                throw new IllegalArgumentException(
                        "update function factory "
                                + own
                                + " has no "
                                + (factory.name() == null ? "name" : "input"));
            }
            UpdateFunctionFactory other = all.putIfAbsent(factory.name(), factory);
            if (other != null && !other.getClass().getName().equals(own)) {
                throw new IllegalArgumentException(
                        "update function '"
                                + factory.name()
                                + "' of "
                                + own
                                + " has the name of "
                                + other.getClass().getName());
            }
        }
    }

    /** Returns those that train models, by name: their pushes are gradients. */
    public static Map<String, UpdateFunctionFactory> optimizers() {
        Map<String, UpdateFunctionFactory> found = all();
        found.values().removeIf(factory -> !factory.input().isGradient());
        return found;
    }

    /** Returns whether a function of that name comes with the servers. */
    public static boolean isBuiltIn(String name) {
        String home = UpdateFunctions.class.getPackageName();
        return find(name).filter(own -> own.getClass().getName().startsWith(home)).isPresent();
    }

    /** Returns the factory of a name, if it can be found here; servers may know others. */
    public static Optional<UpdateFunctionFactory> find(String name) {
        return Optional.ofNullable(all().get(name));
    }

    /**
     * Returns the factory of a name.
     *
     * @throws IllegalArgumentException for an unknown name, listing the known ones
     */
    public static UpdateFunctionFactory factory(String name) {
        Map<String, UpdateFunctionFactory> known = all();
        UpdateFunctionFactory factory = known.get(name);
        if (factory == null) {
            throw new IllegalArgumentException(
                    "unknown update function '"
                            + name
                            + "'; known: "
                            + String.join(", ", known.keySet()));
        }
        return factory;
    }

    /** Returns the options that a function takes, those of a schedule behind its own. */
    public static List<UpdateOption> options(UpdateFunctionFactory factory) {
        return UpdateOptions.of(factory);
    }

    /** Makes a function for one partition; see {@link #maker}. */
    public static UpdateFunction create(UpdateSpec spec) {
        return maker(spec).get();
    }

    /**
     * Returns what makes the functions of a table's partitions, one each; looked up and checked
     * now.
     *
     * @throws IllegalArgumentException for an unknown name (listing the known ones), two functions
     *     of one name, an option the function does not know, or a value out of range, naming it
     */
    public static Supplier<UpdateFunction> maker(UpdateSpec spec) {
        UpdateFunctionFactory factory = factory(spec.name());
        UpdateOptions options = new UpdateOptions(spec, factory);
        factory.create(options);
        return () -> factory.create(options);
    }
}
