package io.github.flinkps.flink.algorithm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Makes models of one name from what it was told of them. */
abstract class ReadingFactory implements TrainingModelFactory {
    private final String name;
    private final String description;
    private final List<ModelOption> options;
    private final Function<OptionReader, TrainingModel> maker;

    ReadingFactory(
            String name,
            String description,
            List<ModelOption> options,
            Function<OptionReader, TrainingModel> maker) {
        this.name = name;
        this.description = description;
        this.options = options;
        this.maker = maker;
    }

    /** Returns the options of a model over features, with its own. */
    static List<ModelOption> withFeatures(ModelOption... own) {
        List<ModelOption> all = new ArrayList<>(List.of(own));
        all.addAll(FeatureSpace.OPTIONS);
        return List.copyOf(all);
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final String description() {
        return description;
    }

    @Override
    public final List<ModelOption> options() {
        return options;
    }

    @Override
    public final TrainingModel create(Map<String, String> given) {
        return maker.apply(new OptionReader(given));
    }
}
