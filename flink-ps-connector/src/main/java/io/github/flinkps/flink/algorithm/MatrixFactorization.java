package io.github.flinkps.flink.algorithm;

import io.github.flinkps.common.InitializerSpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.RowBatch;
import java.util.List;

/**
 * Matrix factorization of explicit ratings with biases (Koren, Bell, Volinsky: Matrix factorization
 * techniques for recommender systems, IEEE Computer 2009): the rating of item i by user u is {@code
 * mean + b[u] + b[i] + <p[u], q[i]>}, the loss half the squared error.
 *
 * <p>A row has two entries of value 1, the user and the item, in this order; the two have spaces of
 * keys of their own. Labels: the rating, any number. Scores: the rating, measured by rmse and mae.
 * Tables: {@code users} and {@code items}, sparse, of width 1 + {@code factors}: the bias and the
 * factors; {@code mean}, dense, 1 x 1, not regularised, at first option {@code mean}.
 *
 * <pre>{@code
 * MatrixFactorization ratings = MatrixFactorization.builder().factors(16).mean(3.5).build();
 * }</pre>
 */
public final class MatrixFactorization extends NamedModel {
    /** The name of the algorithm on the command line and in saved models. */
    public static final String NAME = "matrix-factorization";

    static final ModelOption MEAN =
            ModelOption.number("mean", "0", "first value of the mean of all ratings, then learned");
    static final List<ModelOption> OPTIONS =
            List.of(
                    FactorSpec.FACTORS,
                    MEAN,
                    FactorSpec.INIT_STD,
                    FactorSpec.INIT_SEED,
                    ModelOption.KEY_BITS,
                    ModelOption.PARTITIONS);

    private static final long serialVersionUID = 1L;
    private static final int USERS_TABLE = 0;
    private static final int ITEMS_TABLE = 1;
    private static final int MEAN_TABLE = 2;

    private final int width;
    private final TableSpec users;
    private final TableSpec items;
    private final TableSpec mean;

    MatrixFactorization(OptionReader reader) {
        this(reader, FactorSpec.update(reader, OPTIONS));
    }

    private MatrixFactorization(OptionReader reader, UpdateSpec update) {
        super(NAME, Labels.REAL, reader.given(OPTIONS, update));
        FactorSpec spec = FactorSpec.of(reader);
        FeatureSpace space = FeatureSpace.sparse(reader);
        this.width = 1 + spec.factors();
        this.users = spec.init(space.table("users", width, update));
        this.items = spec.init(space.table("items", width, update));
        float first = (float) reader.number(MEAN.name(), 0, -1e30, 1e30);
        this.mean =
                TableSpec.dense("mean", 1, 1, unregularised(update))
                        .withInitializer(InitializerSpec.constant(first), 0);
    }

    @Override
    public List<TableSpec> tables() {
        return List.of(users, items, mean);
    }

    @Override
    public void touch(RowBatch rows, int from, int to, KeyCollector keys) {
        FactorSpec.checkPairs(rows, from, to);
        FactorSpec.checkOnes(rows, from, to);
        long[] all = rows.keys();
        for (int row = from; row < to; row++) {
            keys.add(USERS_TABLE, all[rows.rowStart(row)]);
            keys.add(ITEMS_TABLE, all[rows.rowStart(row) + 1]);
        }
        keys.range(MEAN_TABLE, 0, 1);
    }

    @Override
    public double gradients(
            RowBatch rows, int from, int to, Parameters parameters, Gradients gradients) {
        int[] userRows = parameters.positions(USERS_TABLE);
        int[] itemRows = parameters.positions(ITEMS_TABLE);
        float[] user = parameters.values(USERS_TABLE);
        float[] item = parameters.values(ITEMS_TABLE);
        float[] userGradient = gradients.values(USERS_TABLE);
        float[] itemGradient = gradients.values(ITEMS_TABLE);
        double meanValue = parameters.values(MEAN_TABLE)[0];
        double meanGradient = 0;
        double loss = 0;
        for (int row = from; row < to; row++) {
            int u = userRows[row - from] * width;
            int i = itemRows[row - from] * width;
            double error = meanValue + rating(user, u, item, i) - rows.labels()[row];
            double weight = rows.weights() == null ? 1 : rows.weights()[row];
            loss += weight * error * error / 2;
            error *= weight;
            meanGradient += error;
            userGradient[u] += (float) error;
            itemGradient[i] += (float) error;
            for (int f = 1; f < width; f++) {
                userGradient[u + f] += (float) (error * item[i + f]);
                itemGradient[i + f] += (float) (error * user[u + f]);
            }
        }
        gradients.values(MEAN_TABLE)[0] += (float) meanGradient;
        return loss;
    }

    @Override
    public void score(
            RowBatch rows, int from, int to, Parameters parameters, float[] scores, int at) {
        int[] userRows = parameters.positions(USERS_TABLE);
        int[] itemRows = parameters.positions(ITEMS_TABLE);
        float[] user = parameters.values(USERS_TABLE);
        float[] item = parameters.values(ITEMS_TABLE);
        double meanValue = parameters.values(MEAN_TABLE)[0];
        for (int row = from; row < to; row++) {
            int u = userRows[row - from] * width;
            int i = itemRows[row - from] * width;
            scores[at + row - from] = (float) (meanValue + rating(user, u, item, i));
        }
    }

    private double rating(float[] user, int u, float[] item, int i) {
        double sum = (double) user[u] + item[i];
        for (int f = 1; f < width; f++) {
            sum += (double) user[u + f] * item[i + f];
        }
        return sum;
    }

    /** Sets up a model; it has the defaults of its options until they are set. */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects the options of a model that {@link #builder} begins. */
    public static final class Builder extends ModelBuilder<MatrixFactorization, Builder>
            implements OptionSetter.OfFactors<Builder>, OptionSetter.OfRandomInit<Builder> {
        private Builder() {
            super(MatrixFactorization::new);
        }

        /** Sets the first value of the mean of all ratings, which is then learned. */
        public Builder mean(double rating) {
            return set(MEAN.name(), rating);
        }
    }

    /** Makes models from named options. */
    public static final class Factory extends ReadingFactory {
        public Factory() {
            super(
                    NAME,
                    "ratings that users gave to items, to guess those they did not give",
                    OPTIONS,
                    MatrixFactorization::new);
        }

        @Override
        public RowShape rowShape() {
            return RowShape.PAIR;
        }
    }
}
