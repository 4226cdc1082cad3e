package io.github.flinkps.flink.algorithm;

import io.github.flinkps.common.InitializerSpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.metrics.Evaluation;
import io.github.flinkps.flink.metrics.PairMetrics;
import java.util.Arrays;
import java.util.List;

/**
 * Skip-gram with negative sampling, word2vec (Mikolov, Sutskever, Chen, Corrado, Dean: Distributed
 * representations of words and phrases and their compositionality, NIPS 2013). For each word c of a
 * sentence and each word o at most a window away the loss is {@code -log s(<u[o], v[c]>) - sum of
 * log s(-<u[n], v[c]>)}, {@code s(z) = 1 / (1 + exp(-z))}, over {@code negatives} words n. The
 * window of each word is drawn evenly from 1 to option {@code window}. The words n are drawn from
 * those of the mini-batch, each in proportion to its count there to the power of 3/4. A drawn word
 * that is o is left out. A mini-batch should so be as large a sample of the text as can be.
 *
 * <p>A row is a sentence: its entries, of value 1, are the words in order. Labels: any, not looked
 * at. Loss of a row: the sum over its pairs, sentence-loss; not to be compared with pair-loss.
 * Scores: what {@link PairMetrics} takes, with pairs drawn as in training; measured by pair-loss
 * and pair-accuracy. Tables: {@code words}, the vectors v, evenly between {@code -.5 / factors} and
 * {@code .5 / factors} at first, and {@code contexts}, the vectors u, 0 at first; both sparse or
 * dense with option {@code features}, of width {@code factors}.
 *
 * <pre>{@code
 * SkipGram words = SkipGram.builder().factors(100).window(5).negatives(5).build();
 * }</pre>
 */
public final class SkipGram extends NamedModel {
    /** The name of the algorithm on the command line and in saved models. */
    public static final String NAME = "skip-gram";

    /** The table of the words' vectors. */
    public static final String VECTORS = "words";

    static final ModelOption WINDOW =
            ModelOption.whole(
                    "window", "5", "words to each side that count as neighbours, at most");
    static final List<ModelOption> OPTIONS =
            ReadingFactory.withFeatures(
                    ModelOption.whole("factors", "64", FactorSpec.FACTORS.description()),
                    WINDOW,
                    ImplicitMatrixFactorization.NEGATIVES,
                    FactorSpec.INIT_SEED);

    private static final long serialVersionUID = 1L;
    private static final int WORDS_TABLE = 0;
    private static final int CONTEXTS_TABLE = 1;

    private final int factors;
    private final int window;
    private final int negatives;
    private final FeatureSpace space;
    private final TableSpec words;
    private final TableSpec contexts;
    private transient Noise noise;
    private transient double[] wordGradient;
    private transient double[] rowScores;

    SkipGram(OptionReader reader) {
        this(reader, FactorSpec.update(reader, OPTIONS));
    }

    private SkipGram(OptionReader reader, UpdateSpec update) {
        super(NAME, Labels.REAL, reader.given(OPTIONS, update));
        this.factors = reader.count(FactorSpec.FACTORS.name(), 64, 1, TableSpec.MAX_WIDTH);
        this.window = reader.count(WINDOW.name(), 5, 1, 1000);
        this.negatives = reader.count(ImplicitMatrixFactorization.NEGATIVES.name(), 5, 1, 1000);
        this.space = FeatureSpace.of(reader);
        this.words =
                space.table(VECTORS, factors, update)
                        .withInitializer(
                                InitializerSpec.uniform(-0.5f / factors, 0.5f / factors),
                                FactorSpec.initSeed(reader));
        this.contexts = space.table("contexts", factors, update);
    }

    /** Words of a mini-batch, to be drawn by their counts to the power of 3/4. */
    private static final class Noise {
        private int[] counts = new int[0];
        private int[] drawn = new int[0];
        private int size;

        /** Takes the words of a mini-batch, which are rows of a table. */
        void fill(int[] words, int count, int distinct) {
            if (counts.length < distinct) {
                counts = new int[distinct];
            }
            Arrays.fill(counts, 0, distinct, 0);
            for (int i = 0; i < count; i++) {
                counts[words[i]]++;
            }
            double sum = 0;
            for (int word = 0; word < distinct; word++) {
                sum += Math.pow(counts[word], 0.75);
            }
            size = Math.min(1 << 24, 4 * Math.min(count, 1 << 22));
            if (drawn.length < size) {
                drawn = new int[size];
            }
            double share = 0;
            int at = 0;
            for (int word = 0; word < distinct && at < size; word++) {
                share += Math.pow(counts[word], 0.75) / sum;
                for (; at < size && at < share * size; at++) {
                    drawn[at] = word;
                }
            }
            for (; at < size; at++) {
                drawn[at] = drawn[at - 1];
            }
        }

        int draw(long seed, long place) {
            return drawn[(int) SplitMix.below(size, seed, place)];
        }
    }

    @Override
    public List<TableSpec> tables() {
        return List.of(words, contexts);
    }

    @Override
    public int scoresPerRow() {
        return PairMetrics.SCORES;
    }

    @Override
    public Evaluation evaluation() {
        return new PairMetrics();
    }

    @Override
    public String lossName() {
        return "sentence-loss";
    }

    /** Returns true, so that windows and negatives are drawn anew in each pass. */
    @Override
    public boolean samples() {
        return true;
    }

    @Override
    public void touch(RowBatch rows, int from, int to, KeyCollector keys) {
        FactorSpec.checkOnes(rows, from, to);
        space.touch(rows, from, to, keys, WORDS_TABLE, VECTORS);
        space.touch(rows, from, to, keys, CONTEXTS_TABLE, "contexts");
    }

    @Override
    public double gradients(
            RowBatch rows, int from, int to, Parameters parameters, Gradients gradients) {
        prepare(rows, from, to, parameters);
        double loss = 0;
        for (int row = from; row < to; row++) {
            double weight = rows.weights() == null ? 1 : rows.weights()[row];
            sentence(rows, from, row, parameters, gradients, weight);
            loss += weight * rowScores[0];
        }
        return loss;
    }

    @Override
    public void score(
            RowBatch rows, int from, int to, Parameters parameters, float[] scores, int at) {
        prepare(rows, from, to, parameters);
        for (int row = from; row < to; row++) {
            sentence(rows, from, row, parameters, null, 0);
            for (int i = 0; i < PairMetrics.SCORES; i++) {
                scores[at + (row - from) * PairMetrics.SCORES + i] = (float) rowScores[i];
            }
        }
    }

    private void prepare(RowBatch rows, int from, int to, Parameters parameters) {
        if (noise == null) {
            noise = new Noise();
            wordGradient = new double[factors];
            rowScores = new double[PairMetrics.SCORES];
        }
        noise.fill(
                parameters.positions(CONTEXTS_TABLE),
                rows.rowStart(to) - rows.rowStart(from),
                parameters.rows(CONTEXTS_TABLE));
    }

    /**
     * Goes through the pairs of a row; leaves their {@link PairMetrics} in {@link #rowScores}.
     *
     * @param gradients where to add, or null
     */
    private void sentence(
            RowBatch rows,
            int from,
            int row,
            Parameters parameters,
            Gradients gradients,
            double weight) {
        int[] wordRows = parameters.positions(WORDS_TABLE);
        int[] contextRows = parameters.positions(CONTEXTS_TABLE);
        int first = rows.rowStart(from);
        int start = rows.rowStart(row) - first;
        int end = rows.rowStart(row + 1) - first;
        Arrays.fill(rowScores, 0);
        for (int c = start; c < end; c++) {
            long place = (long) c * (1 + 2L * window * negatives);
            int reach = 1 + (int) SplitMix.below(window, parameters.seed(), place++);
            Arrays.fill(wordGradient, 0);
            int v = wordRows[c] * factors;
            for (int o = Math.max(start, c - reach); o < Math.min(end, c + reach + 1); o++) {
                if (o != c) {
                    pair(parameters, gradients, weight, v, contextRows[o], place);
                    place += negatives;
                }
            }
            if (gradients != null) {
                float[] gradient = gradients.values(WORDS_TABLE);
                for (int f = 0; f < factors; f++) {
                    gradient[v + f] += (float) wordGradient[f];
                }
            }
        }
    }

    private void pair(
            Parameters parameters,
            Gradients gradients,
            double weight,
            int v,
            int neighbour,
            long place) {
        double right = dot(parameters, v, neighbour);
        rowScores[1]++;
        learn(parameters, gradients, weight, v, neighbour, right, 1);
        for (int n = 0; n < negatives; n++) {
            int drawn = noise.draw(parameters.seed(), place + n);
            if (drawn != neighbour) {
                double wrong = dot(parameters, v, drawn);
                rowScores[2] += (1 + Math.signum(right - wrong)) / 2;
                rowScores[3]++;
                learn(parameters, gradients, weight, v, drawn, wrong, 0);
            }
        }
    }

    /** Adds loss and gradients of a pair whose product is {@code z}; label 1 if it was seen. */
    private void learn(
            Parameters parameters,
            Gradients gradients,
            double weight,
            int v,
            int context,
            double z,
            int label) {
        double e = Math.exp(-Math.abs(z)); // one for both loss and slope
        rowScores[0] += Math.max(z, 0) - label * z + Math.log(1 + e);
        if (gradients != null) {
            double probability = (z >= 0 ? 1 : e) / (1 + e);
            add(parameters, gradients, v, context, weight * (probability - label));
        }
    }

    private double dot(Parameters parameters, int v, int context) {
        float[] word = parameters.values(WORDS_TABLE);
        float[] contextValues = parameters.values(CONTEXTS_TABLE);
        int u = context * factors;
        double sum = 0;
        for (int f = 0; f < factors; f++) {
            sum += (double) word[v + f] * contextValues[u + f];
        }
        return sum;
    }

    private void add(Parameters parameters, Gradients gradients, int v, int context, double slope) {
        float[] word = parameters.values(WORDS_TABLE);
        float[] contextValues = parameters.values(CONTEXTS_TABLE);
        float[] gradient = gradients.values(CONTEXTS_TABLE);
        int u = context * factors;
        for (int f = 0; f < factors; f++) {
            gradient[u + f] += (float) (slope * word[v + f]);
            wordGradient[f] += slope * contextValues[u + f];
        }
    }

    /** Sets up a model; it has the defaults of its options until they are set. */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects the options of a model that {@link #builder} begins. */
    public static final class Builder extends ModelBuilder<SkipGram, Builder>
            implements OptionSetter.OfFeatures<Builder>, OptionSetter.OfFactors<Builder> {
        private Builder() {
            super(SkipGram::new);
        }

        /** Sets how many words to each side count as neighbours, at most. */
        public Builder window(int words) {
            return set(WINDOW.name(), words);
        }

        /** Sets how many words are drawn against each neighbour. */
        public Builder negatives(int count) {
            return set(ImplicitMatrixFactorization.NEGATIVES.name(), count);
        }

        /** Sets the seed of the random first values. */
        public Builder initSeed(long seed) {
            return set(FactorSpec.INIT_SEED.name(), seed);
        }
    }

    /** Makes models from named options. */
    public static final class Factory extends ReadingFactory {
        public Factory() {
            super(
                    NAME,
                    "vectors of what comes in sequences; learns of rows alone",
                    OPTIONS,
                    SkipGram::new);
        }

        @Override
        public RowShape rowShape() {
            return RowShape.SEQUENCE;
        }

        @Override
        public boolean learnsLabels() {
            return false;
        }
    }
}
