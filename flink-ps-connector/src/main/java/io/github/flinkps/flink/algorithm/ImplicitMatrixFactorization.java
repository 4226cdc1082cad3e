package io.github.flinkps.flink.algorithm;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.metrics.Evaluation;
import io.github.flinkps.flink.metrics.RankingMetrics;
import java.util.ArrayList;
import java.util.List;

/**
 * Matrix factorization of what users took, by Bayesian personalised ranking (Rendle, Freudenthaler,
 * Gantner, Schmidt-Thieme: BPR, UAI 2009). Item i is worth {@code x[u, i] = b[i] + <p[u], q[i]>} to
 * user u. The loss of a row (u, i) is the mean of {@code -log(1 / (1 + exp(x[u, j] - x[u, i])))}
 * over {@code negatives} items j drawn at random.
 *
 * <p>The items come from a pool of {@code candidates} drawn once for each mini-batch, so that it
 * costs as many keys at most. When {@code items} is given, the pool is drawn uniformly from the
 * items {@code first-item} to {@code first-item + items - 1}. Else it is drawn from the items of
 * the mini-batch's rows, each as often as it occurs. The row's own item is not drawn; others which
 * the user took may be.
 *
 * <p>A row has two entries of value 1, the user and the item, in this order; the two have spaces of
 * keys of their own. Labels: any, not looked at; weights say how sure a row is. Scores: the worth
 * of the row's item and then that of each candidate, drawn as in training, measured by auc, hit@10,
 * precision@10 and ndcg@10 ({@link RankingMetrics}). Tables: {@code users}, sparse, of width {@code
 * factors}; {@code items}, sparse, of width 1 + {@code factors}: the bias and the factors.
 *
 * <pre>{@code
 * ImplicitMatrixFactorization views =
 *         ImplicitMatrixFactorization.builder().factors(16).items(1682).negatives(4).build();
 * }</pre>
 */
public final class ImplicitMatrixFactorization extends NamedModel {
    /** The name of the algorithm on the command line and in saved models. */
    public static final String NAME = "implicit-matrix-factorization";

    static final ModelOption NEGATIVES =
            ModelOption.whole(
                    "negatives", "5", "items or words drawn against each one that is there");
    static final ModelOption CANDIDATES =
            ModelOption.whole(
                    "candidates",
                    "100",
                    "items drawn for a mini-batch, to take negatives from and to rank an item"
                            + " among");

    static final List<ModelOption> OPTIONS =
            List.of(
                    FactorSpec.FACTORS,
                    NEGATIVES,
                    CANDIDATES,
                    ModelOption.ITEMS,
                    ModelOption.FIRST_ITEM,
                    FactorSpec.INIT_STD,
                    FactorSpec.INIT_SEED,
                    ModelOption.KEY_BITS,
                    ModelOption.PARTITIONS);

    private static final long serialVersionUID = 1L;
    private static final int USERS_TABLE = 0;
    private static final int ITEMS_TABLE = 1;
    private static final int MOST_CANDIDATES = 10_000;

    private final int factors;
    private final int negatives;
    private final int candidates;
    private final long itemCount;
    private final long firstItem;
    private final TableSpec users;
    private final TableSpec items;
    private transient double[] userGradient;

    ImplicitMatrixFactorization(OptionReader reader) {
        this(reader, FactorSpec.update(reader, OPTIONS));
    }

    private ImplicitMatrixFactorization(OptionReader reader, UpdateSpec update) {
        super(NAME, Labels.REAL, reader.given(OPTIONS, update));
        FactorSpec spec = FactorSpec.of(reader);
        FeatureSpace space = FeatureSpace.sparse(reader);
        this.factors = spec.factors();
        this.negatives = reader.count(NEGATIVES.name(), 5, 1, MOST_CANDIDATES);
        this.candidates = reader.count(CANDIDATES.name(), 100, 1, MOST_CANDIDATES);
        this.itemCount = reader.whole(ModelOption.ITEMS.name(), 0, 2, Long.MAX_VALUE);
        this.firstItem = reader.whole(ModelOption.FIRST_ITEM.name(), 0, 0, Long.MAX_VALUE);
        if (firstItem > Long.MAX_VALUE - itemCount) {
            throw new IllegalArgumentException(
                    "first-item " + firstItem + " and items " + itemCount + " are too many");
        }
        this.users = spec.init(space.table("users", factors, update));
        this.items = spec.init(space.table("items", 1 + factors, update));
    }

    @Override
    public List<TableSpec> tables() {
        return List.of(users, items);
    }

    @Override
    public int scoresPerRow() {
        return 1 + candidates;
    }

    @Override
    public Evaluation evaluation() {
        return new RankingMetrics(candidates);
    }

    @Override
    public String lossName() {
        return "bpr";
    }

    @Override
    public boolean samples() {
        return true;
    }

    @Override
    public void touch(RowBatch rows, int from, int to, KeyCollector keys) {
        FactorSpec.checkPairs(rows, from, to);
        FactorSpec.checkOnes(rows, from, to);
        long[] all = rows.keys();
        for (int row = from; row < to; row++) {
            long item = all[rows.rowStart(row) + 1];
            if (itemCount > 0 && (item < firstItem || item >= firstItem + itemCount)) {
                throw new IllegalArgumentException(
                        "item "
                                + item
                                + " is not one of the "
                                + itemCount
                                + " items from "
                                + firstItem
                                + " on");
            }
            keys.add(USERS_TABLE, all[rows.rowStart(row)]);
            keys.add(ITEMS_TABLE, item);
        }
        for (int c = 0; c < candidates && from < to; c++) {
            keys.add(ITEMS_TABLE, candidate(rows, from, to, keys.seed(), c));
        }
    }

    private long candidate(RowBatch rows, int from, int to, long seed, int place) {
        if (itemCount > 0) {
            return firstItem + SplitMix.below(itemCount, seed, place);
        }
        int row = from + (int) SplitMix.below(to - from, seed, place);
        return rows.keys()[rows.rowStart(row) + 1];
    }

    /**
     * Returns the row of a candidate which is not the item at {@code own}: the one at {@code place}
     * of the pool or the first that is another after it; {@code own} when there is none.
     */
    private int other(int[] itemRows, int pool, int place, int own) {
        for (int tries = 0; tries < candidates; tries++) {
            int found = itemRows[pool + (place + tries) % candidates];
            if (found != own) {
                return found;
            }
        }
        return own;
    }

    @Override
    public double gradients(
            RowBatch rows, int from, int to, Parameters parameters, Gradients gradients) {
        int[] userRows = parameters.positions(USERS_TABLE);
        int[] itemRows = parameters.positions(ITEMS_TABLE);
        float[] user = parameters.values(USERS_TABLE);
        float[] item = parameters.values(ITEMS_TABLE);
        float[] itemGradient = gradients.values(ITEMS_TABLE);
        if (userGradient == null) {
            userGradient = new double[factors];
        }
        long place = candidates;
        double loss = 0;
        for (int row = from; row < to; row++) {
            int u = userRows[row - from] * factors;
            int own = itemRows[row - from];
            int i = own * (1 + factors);
            double worth = worth(user, u, item, i);
            double weight = (rows.weights() == null ? 1.0 : rows.weights()[row]) / negatives;
            java.util.Arrays.fill(userGradient, 0);
            for (int n = 0; n < negatives; n++) {
                int drawn = (int) SplitMix.below(candidates, parameters.seed(), place++);
                int other = other(itemRows, to - from, drawn, own);
                int j = other * (1 + factors);
                double ahead = worth - worth(user, u, item, j);
                loss += weight * LogisticRegression.loss(ahead, 1);
                if (other != own) {
                    double error = weight * (LogisticRegression.probability(ahead) - 1);
                    addPair(user, u, item, i, j, itemGradient, error);
                }
            }
            float[] gradient = gradients.values(USERS_TABLE);
            for (int f = 0; f < factors; f++) {
                gradient[u + f] += (float) userGradient[f];
            }
        }
        return loss;
    }

    private void addPair(
            float[] user, int u, float[] item, int i, int j, float[] itemGradient, double error) {
        itemGradient[i] += (float) error;
        itemGradient[j] -= (float) error;
        for (int f = 0; f < factors; f++) {
            float part = (float) (error * user[u + f]);
            itemGradient[i + 1 + f] += part;
            itemGradient[j + 1 + f] -= part;
            userGradient[f] += error * ((double) item[i + 1 + f] - item[j + 1 + f]);
        }
    }

    @Override
    public void score(
            RowBatch rows, int from, int to, Parameters parameters, float[] scores, int at) {
        int[] userRows = parameters.positions(USERS_TABLE);
        int[] itemRows = parameters.positions(ITEMS_TABLE);
        float[] user = parameters.values(USERS_TABLE);
        float[] item = parameters.values(ITEMS_TABLE);
        int out = at;
        for (int row = from; row < to; row++) {
            int u = userRows[row - from] * factors;
            int own = itemRows[row - from];
            scores[out++] = (float) worth(user, u, item, own * (1 + factors));
            for (int c = 0; c < candidates; c++) {
                int other = other(itemRows, to - from, c, own);
                scores[out++] = (float) worth(user, u, item, other * (1 + factors));
            }
        }
    }

    private double worth(float[] user, int u, float[] item, int i) {
        double sum = item[i];
        for (int f = 0; f < factors; f++) {
            sum += (double) user[u + f] * item[i + 1 + f];
        }
        return sum;
    }

    /** Sets up a model; it has the defaults of its options until they are set. */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects the options of a model that {@link #builder} begins. */
    public static final class Builder extends ModelBuilder<ImplicitMatrixFactorization, Builder>
            implements OptionSetter.OfFactors<Builder>, OptionSetter.OfRandomInit<Builder> {
        private Builder() {
            super(ImplicitMatrixFactorization::new);
        }

        /** Sets how many items are drawn against each one that is there. */
        public Builder negatives(int count) {
            return set(NEGATIVES.name(), count);
        }

        /**
         * Sets how many items are drawn for a mini-batch, to take negatives from and to rank an
         * item among.
         */
        public Builder candidates(int count) {
            return set(CANDIDATES.name(), count);
        }

        /** Sets the number of items to draw from, evenly, instead of those of the mini-batch. */
        public Builder items(long count) {
            return set(ModelOption.ITEMS.name(), count);
        }

        /** Sets the least index of an item; goes with {@link #items}. */
        public Builder firstItem(long index) {
            return set(ModelOption.FIRST_ITEM.name(), index);
        }
    }

    /** Makes models from named options. */
    public static final class Factory extends ReadingFactory {
        public Factory() {
            super(
                    NAME,
                    "what users took, where not taking says little; learns of rows alone",
                    OPTIONS,
                    ImplicitMatrixFactorization::new);
        }

        @Override
        public List<ModelOption> columnOptions() {
            List<ModelOption> all = new ArrayList<>(options());
            all.remove(ModelOption.ITEMS);
            all.remove(ModelOption.FIRST_ITEM);
            return all;
        }

        @Override
        public RowShape rowShape() {
            return RowShape.PAIR;
        }

        @Override
        public boolean learnsLabels() {
            return false;
        }
    }
}
