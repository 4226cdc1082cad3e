package io.github.flinkps.server.update;

import io.github.flinkps.common.UpdateSpec;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;

/** Finds update functions by name: the built-in ones and those on the class path. Thread-safe. */
public final class UpdateFunctions {
    private static final Map<String, UpdateFunctionFactory> BUILT_IN = builtIn();

    private record BuiltIn(
            String name, Set<String> options, Function<UpdateSpec, UpdateFunction> maker)
            implements UpdateFunctionFactory {
        @Override
        public UpdateFunction create(UpdateSpec spec) {
            return maker.apply(spec);
        }
    }

    private UpdateFunctions() {}

    private static Map<String, UpdateFunctionFactory> builtIn() {
        Map<String, UpdateFunctionFactory> all = new TreeMap<>();
        register(all, "sgd", Set.of("learning-rate", "l1", "l2"), Sgd::new);
        register(
                all,
                "momentum",
                Set.of("learning-rate", "momentum", "nesterov", "l1", "l2"),
                Momentum::new);
        register(
                all,
                "adagrad",
                Set.of("learning-rate", "epsilon", "initial-accumulator", "l1", "l2"),
                Adagrad::new);
        register(
                all,
                "rmsprop",
                Set.of("learning-rate", "decay", "epsilon", "l1", "l2"),
                RmsProp::new);
        register(
                all,
                "adam",
                Set.of("learning-rate", "beta1", "beta2", "epsilon", "l1", "l2"),
                Adam::new);
        register(all, "ftrl", Set.of("learning-rate", "beta", "l1", "l2"), Ftrl::new);
        register(all, "add", Set.of(), spec -> new Add());
        register(all, "assign", Set.of(), spec -> new Assign());
        return all;
    }

    private static void register(
            Map<String, UpdateFunctionFactory> all,
            String name,
            Set<String> options,
            Function<UpdateSpec, UpdateFunction> maker) {
        all.put(name, new BuiltIn(name, options, maker));
    }

    /** A new function for one partition; see {@link #maker}. */
    public static UpdateFunction create(UpdateSpec spec) {
        return maker(spec).get();
    }

    /**
     * Makes the functions of a table's partitions, one each; looked up and checked now.
     *
     * @throws IllegalArgumentException for an unknown name (listing the known ones), two functions
     *     of one name, an option the function does not know, or a value out of range, naming it
     */
    public static Supplier<UpdateFunction> maker(UpdateSpec spec) {
        Map<String, UpdateFunctionFactory> known =
                known(Thread.currentThread().getContextClassLoader());
        UpdateFunctionFactory factory = known.get(spec.name());
        if (factory == null) {
            throw new IllegalArgumentException(
                    "unknown update function '"
                            + spec.name()
                            + "'; known: "
                            + String.join(", ", known.keySet()));
        }
        Set<String> options = new TreeSet<>(factory.options());
        for (String option : spec.options().keySet()) {
            if (!options.contains(option)) {
                throw new IllegalArgumentException(
                        "update function '"
                                + spec.name()
                                + "' has no option '"
                                + option
                                + "'; it knows "
                                + (options.isEmpty() ? "none" : String.join(", ", options)));
            }
        }
        factory.create(spec);
        return () -> factory.create(spec);
    }

    private static Map<String, UpdateFunctionFactory> known(ClassLoader context) {
        ClassLoader loader = context != null ? context : UpdateFunctions.class.getClassLoader();
        Map<String, UpdateFunctionFactory> all = new TreeMap<>(BUILT_IN);
        for (UpdateFunctionFactory factory :
                ServiceLoader.load(UpdateFunctionFactory.class, loader)) {
            UpdateFunctionFactory other = all.putIfAbsent(factory.name(), factory);
            if (other != null) {
                throw new IllegalArgumentException(
                        "update function '"
                                + factory.name()
                                + "' of "
                                + factory.getClass().getName()
                                + " has the name of "
                                + (other instanceof BuiltIn
                                        ? "a built-in one"
                                        : other.getClass().getName()));
            }
        }
        return all;
    }
}
