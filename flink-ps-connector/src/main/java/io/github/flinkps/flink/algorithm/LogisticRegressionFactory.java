package io.github.flinkps.flink.algorithm;

import io.github.flinkps.common.UpdateSpec;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Makes {@link LogisticRegression} models from named options. */
public final class LogisticRegressionFactory implements TrainingModelFactory {
    private static final Set<String> OWN = Set.of("optimizer", "features", "partitions");

    @Override
    public String name() {
        return LogisticRegression.NAME;
    }

    /** Its own options; all others go to the optimizer, which refuses those it does not know. */
    @Override
    public Set<String> options() {
        return OWN;
    }

    @Override
    public TrainingModel create(Map<String, String> options) {
        LogisticRegression.Builder builder = LogisticRegression.builder();
        TreeMap<String, Double> numbers = new TreeMap<>();
        for (Map.Entry<String, String> option : options.entrySet()) {
            if (!OWN.contains(option.getKey())) {
                numbers.put(option.getKey(), number(option.getKey(), option.getValue()));
            }
        }
        String optimizer = options.get("optimizer");
        if (optimizer != null) {
            builder.optimizer(new UpdateSpec(optimizer, numbers));
        } else if (!numbers.isEmpty()) {
            UpdateSpec update = LogisticRegression.DEFAULT_UPDATE;
            for (Map.Entry<String, Double> entry : numbers.entrySet()) {
                update = update.with(entry.getKey(), entry.getValue());
            }
            builder.optimizer(update);
        }
        if (options.containsKey("features")) {
            builder.features(whole("features", options.get("features")));
        }
        if (options.containsKey("partitions")) {
            builder.partitions(Math.toIntExact(whole("partitions", options.get("partitions"))));
        }
        return builder.build();
    }

    private static double number(String option, String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(option + " must be a number, not '" + text + "'", e);
        }
    }

    private static long whole(String option, String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    option + " must be a whole number, not '" + text + "'", e);
        }
    }
}
