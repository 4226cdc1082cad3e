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
    private static final Map<String, BuiltIn> BUILT_IN = builtIn();

    /**
     * A function of ours.
     *
     * @param defaults its options with their defaults
     * @param step what a push does, for the documentation
     * @param untouched what happens to rows no push touches, for the documentation
     */
    record BuiltIn(
            String name,
            Map<String, Double> defaults,
            String step,
            String untouched,
            Function<OptionReader, UpdateFunction> maker)
            implements UpdateFunctionFactory {
        @Override
        public Set<String> options() {
            return defaults.keySet();
        }

        @Override
        public UpdateFunction create(UpdateSpec spec) {
            return maker.apply(new OptionReader(spec, defaults));
        }
    }

    private UpdateFunctions() {}

    private static Map<String, BuiltIn> builtIn() {
        String mean = "mean gradient";
        String sum = "sum of gradients";
        String still = "left as they are";
        String caughtUp = "regularised, caught up when next read or pushed";
        String ball = mean + "; heavy ball, or Nesterov's (1)";
        String corrected = mean + "; bias corrected by the table's step";
        String paper = sum + "; alpha, beta, lambda1, lambda2 of the paper";
        Map<String, BuiltIn> all = new TreeMap<>();
        put(all, "sgd", "learning-rate=.1 l1=0 l2=0", mean, caughtUp, true, Sgd::new);
        put(
                all,
                "momentum",
                "learning-rate=.1 momentum=.9 nesterov=0 l1=0 l2=0",
                ball,
                still,
                true,
                Momentum::new);
        put(
                all,
                "adagrad",
                "learning-rate=.1 epsilon=1e-8 initial-accumulator=0 l1=0 l2=0",
                sum,
                still,
                true,
                Adagrad::new);
        put(
                all,
                "rmsprop",
                "learning-rate=.01 decay=.9 epsilon=1e-8 l1=0 l2=0",
                mean,
                still,
                true,
                RmsProp::new);
        put(
                all,
                "adam",
                "learning-rate=.001 beta1=.9 beta2=.999 epsilon=1e-8 l1=0 l2=0",
                corrected,
                still,
                true,
                Adam::new);
        put(all, "ftrl", "learning-rate=.1 beta=1 l1=0 l2=0", paper, still, false, Ftrl::new);
        put(all, "add", "", "adds what is pushed", still, false, options -> new Add());
        put(all, "assign", "", "stores what is pushed", still, false, options -> new Assign());
        return all;
    }

    private static void put(
            Map<String, BuiltIn> all,
            String name,
            String options,
            String step,
            String untouched,
            boolean scheduled,
            Function<OptionReader, UpdateFunction> maker) {
        Map<String, Double> defaults = new TreeMap<>();
        for (String option : options.isEmpty() ? new String[0] : options.split(" ")) {
            int equals = option.indexOf('=');
            defaults.put(option.substring(0, equals), Double.valueOf(option.substring(equals + 1)));
        }
        if (scheduled) {
            defaults.putAll(LearningRate.DEFAULTS);
        }
        all.put(name, new BuiltIn(name, defaults, step, untouched, maker));
    }

    /** Returns the built-in functions, by name. */
    static Map<String, BuiltIn> builtIns() {
        return BUILT_IN;
    }

    /**
     * Returns the options that a function understands, hyphenated, in order.
     *
     * @throws IllegalArgumentException for an unknown name, listing the known ones
     */
    public static Set<String> options(String name) {
        return new TreeSet<>(factory(name).options());
    }

    /** Returns a new function for one partition; see {@link #maker}. */
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
        UpdateFunctionFactory factory = factory(spec.name());
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

    private static UpdateFunctionFactory factory(String name) {
        Map<String, UpdateFunctionFactory> known =
                known(Thread.currentThread().getContextClassLoader());
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
