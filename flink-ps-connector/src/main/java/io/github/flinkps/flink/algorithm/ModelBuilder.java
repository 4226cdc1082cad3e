package io.github.flinkps.flink.algorithm;

import io.github.flinkps.common.UpdateSpec;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Sets up a model by typed options, those of its factory; what is not set takes its default. Values
 * are checked by {@link #build}, optimizers where tables are created.
 *
 * @param <M> the model
 * @param <B> the builder, for chained calls
 */
public abstract class ModelBuilder<M extends TrainingModel, B extends ModelBuilder<M, B>>
        implements OptionSetter<B> {
    private final Function<OptionReader, M> maker;
    private final TreeMap<String, String> options = new TreeMap<>();

    ModelBuilder(Function<OptionReader, M> maker) {
        this.maker = maker;
    }

    @Override
    @SuppressWarnings("unchecked")
    public final B set(String option, Object value) {
        options.put(option, value.toString());
        return (B) this;
    }

    /** Returns the optimizer and its options, L1 and L2 of the mean objective included. */
    public final B optimizer(UpdateSpec spec) {
        spec.options().forEach(this::set);
        return set("optimizer", spec.name());
    }

    /**
     * Sets the bits of keys, 1 to 64: keys are from 0 and below 2 to this power. Fewer bits make
     * their lists shorter on the wire.
     */
    public final B keyBits(int bits) {
        return set(ModelOption.KEY_BITS.name(), bits);
    }

    /** Sets the number of partitions of the tables of features, instead of the default number. */
    public final B partitions(int count) {
        return set(ModelOption.PARTITIONS.name(), count);
    }

    /**
     * Returns the model.
     *
     * @throws IllegalArgumentException naming the option that is missing, unknown or out of range
     */
    public final M build() {
        return maker.apply(new OptionReader(options));
    }
}
