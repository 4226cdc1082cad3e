package io.github.flinkps.flink.algorithm;

import java.util.Arrays;

/**
 * Takes options of a model.
 *
 * @param <B> the builder, for chained calls
 */
public interface OptionSetter<B> {
    /**
     * Sets an option by its name.
     *
     * @param option hyphenated, as {@link TrainingModelFactory#options} or its optimizer names it
     */
    B set(String option, Object value);

    /** Builders of models over features. */
    interface OfFeatures<B> extends OptionSetter<B> {
        /** Makes the table of features dense, of the indices 0 to {@code count - 1}. */
        default B features(long count) {
            return set(ModelOption.FEATURES.name(), count);
        }
    }

    /** Builders of linear models of one number. */
    interface OfBias<B> extends OptionSetter<B> {
        /** Sets the value of the bias before training. */
        default B initialBias(double value) {
            return set(ModelOption.INITIAL_BIAS.name(), value);
        }
    }

    /** Builders of models with vectors. */
    interface OfFactors<B> extends OptionSetter<B> {
        /** Sets the length of the vectors that are learned. */
        default B factors(int count) {
            return set(FactorSpec.FACTORS.name(), count);
        }
    }

    /** Builders of models whose first values are random. */
    interface OfRandomInit<B> extends OptionSetter<B> {
        /** Sets the standard deviation of the random first values. */
        default B initStd(double deviation) {
            return set(FactorSpec.INIT_STD.name(), deviation);
        }

        /** Sets the seed of the random first values. */
        default B initSeed(long seed) {
            return set(FactorSpec.INIT_SEED.name(), seed);
        }
    }

    /** Builders of models whose factors can be held back alone. */
    interface OfFactorL2<B> extends OptionSetter<B> {
        /** Sets the weight of half the squared factors in the loss of each row. */
        default B factorL2(double weight) {
            return set(FactorSpec.FACTOR_L2.name(), weight);
        }
    }

    /** Builders of models that learn truth values or, if told so, numbers. */
    interface OfTask<B> extends OptionSetter<B> {
        /**
         * Sets the task: {@code classification} (labels 0 and 1), the default, or {@code
         * regression}.
         */
        default B task(String task) {
            return set(TaskLoss.TASK.name(), task);
        }

        /** Sets what is predicted before training, in regression. */
        default B labelMean(double mean) {
            return set(TaskLoss.LABEL_MEAN.name(), mean);
        }

        /** Sets the unit in which labels are learned, in regression. */
        default B labelUnit(double unit) {
            return set(TaskLoss.LABEL_UNIT.name(), unit);
        }
    }

    /** Builders of models with hidden layers. */
    interface OfLayers<B> extends OptionSetter<B> {
        /** Sets the widths of the hidden layers, from the input on. */
        default B hidden(int... widths) {
            return set(
                    DenseNetwork.HIDDEN.name(),
                    String.join(",", Arrays.stream(widths).mapToObj(String::valueOf).toList()));
        }
    }

    /** Builders of models whose rows have an entry for every field. */
    interface OfFields<B> extends OptionSetter<B> {
        /** Sets the number of entries of each row; must be set. */
        default B fields(int count) {
            return set(FactorSpec.FIELDS.name(), count);
        }
    }
}
