package io.github.flinkps.flink.algorithm;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.data.RowBatch;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Field-aware factorization machine (Juan, Zhuang, Chin, Lin: Field-aware factorization machines
 * for CTR prediction, RecSys 2016, with a bias and linear weights): {@code z = bias + sum of w[i]
 * x[i] + sum over pairs i < j of <v[i][field of j], v[j][field of i]> x[i] x[j]}. The field of an
 * entry is its position in its row, so that each row has an entry for every field; or with option
 * {@code field-keys} its key modulo {@code fields}, as of libffm's rows, which have any entries.
 * With option {@code task} classification the score is {@code 1 / (1 + exp(-z))} and the loss
 * logloss, with regression they are {@code z} and half the squared error.
 *
 * <p>Labels: 0 and 1, or any number. Measures: logloss, auc, accuracy; or rmse, mae. The table
 * {@code features} is sparse, or dense with option {@code features}. Its width is 1 + {@code
 * fields} x {@code factors}: the weight of a feature and then its factors towards field 0, 1 and so
 * on. The table {@code bias} is dense, 1 x 1, not regularised.
 *
 * <pre>{@code
 * FieldAwareFactorizationMachine clicks =
 *         FieldAwareFactorizationMachine.builder().fields(39).factors(4).build();
 * }</pre>
 */
public final class FieldAwareFactorizationMachine extends FactorMachine {
    /** The name of the algorithm on the command line and in saved models. */
    public static final String NAME = "field-aware-factorization-machine";

    /** Says where an entry's field is read from. */
    public static final ModelOption FIELD_KEYS =
            ModelOption.flag(
                    "field-keys",
                    "an entry's field is its key modulo fields, as in rows of libffm, instead of"
                            + " its position in the row");

    static final List<ModelOption> OPTIONS =
            ReadingFactory.withFeatures(
                    FactorSpec.FIELDS,
                    FIELD_KEYS,
                    ModelOption.whole("factors", "4", FactorSpec.FACTORS.description()),
                    FactorSpec.FACTOR_L2,
                    TaskLoss.TASK,
                    TaskLoss.LABEL_MEAN,
                    TaskLoss.LABEL_UNIT,
                    FactorSpec.INIT_STD,
                    FactorSpec.INIT_SEED);

    private static final long serialVersionUID = 1L;

    private final int fields;
    private final int factors;
    private final int width;
    private final boolean fieldKeys;

    /** The fields of the entries of a row. */
    private transient int[] fieldOf;

    FieldAwareFactorizationMachine(OptionReader reader) {
        this(
                reader,
                FactorSpec.fields(reader, 2),
                reader.count(FactorSpec.FACTORS.name(), 4, 1, TableSpec.MAX_WIDTH));
    }

    private FieldAwareFactorizationMachine(OptionReader reader, int fields, int factors) {
        super(
                NAME,
                reader,
                OPTIONS,
                FactorSpec.update(reader, OPTIONS),
                new FactorSpec(
                        factors, FactorSpec.of(reader).initStd(), FactorSpec.initSeed(reader)),
                width(fields, factors));
        this.fields = fields;
        this.factors = factors;
        this.width = width(fields, factors);
        this.fieldKeys = reader.flag(FIELD_KEYS.name());
    }

    private static int width(int fields, int factors) {
        long wide = 1L + (long) fields * factors;
        if (wide > TableSpec.MAX_WIDTH) {
            throw new IllegalArgumentException(
                    "fields x factors must be below "
                            + TableSpec.MAX_WIDTH
                            + ", not "
                            + fields
                            + " x "
                            + factors);
        }
        return (int) wide;
    }

    @Override
    public void touch(RowBatch rows, int from, int to, KeyCollector keys) {
        if (!fieldKeys) {
            FactorSpec.checkFields(rows, from, to, fields);
        }
        super.touch(rows, from, to, keys);
    }

    /** Returns the fields of a row's entries, in an array that the next call overwrites. */
    private int[] fields(RowBatch rows, int row) {
        int start = rows.rowStart(row);
        int entries = rows.rowStart(row + 1) - start;
        if (fieldOf == null || fieldOf.length < entries) {
            fieldOf = new int[Math.max(fields, 2 * entries)];
            Arrays.setAll(fieldOf, i -> i);
        }
        for (int i = 0; fieldKeys && i < entries; i++) {
            fieldOf[i] = (int) Math.floorMod(rows.keys()[start + i], (long) fields);
        }
        return fieldOf;
    }

    @Override
    void addRow(
            RowBatch rows,
            int row,
            int first,
            int[] positions,
            float[] table,
            float[] gradient,
            double error) {
        float[] values = rows.values();
        double decay = decay(rows, row);
        int[] of = fields(rows, row);
        int start = rows.rowStart(row);
        int entries = rows.rowStart(row + 1) - start;
        for (int i = 0; i < entries; i++) {
            int atI = positions[start + i - first] * width;
            double scaled = values == null ? error : error * values[start + i];
            gradient[atI] += (float) scaled;
            for (int j = i + 1; j < entries; j++) {
                double both = values == null ? scaled : scaled * values[start + j];
                int left = atI + 1 + of[j] * factors;
                int right = positions[start + j - first] * width + 1 + of[i] * factors;
                for (int f = 0; f < factors; f++) {
                    float ofLeft = table[left + f];
                    float ofRight = table[right + f];
                    gradient[left + f] += (float) (both * ofRight + decay * ofLeft);
                    gradient[right + f] += (float) (both * ofLeft + decay * ofRight);
                }
            }
        }
    }

    @Override
    double sum(RowBatch rows, int row, int first, int[] positions, float[] table) {
        float[] values = rows.values();
        int[] of = fields(rows, row);
        int start = rows.rowStart(row);
        int entries = rows.rowStart(row + 1) - start;
        double sum = 0;
        for (int i = 0; i < entries; i++) {
            int atI = positions[start + i - first] * width;
            double inner = table[atI];
            for (int j = i + 1; j < entries; j++) {
                int left = atI + 1 + of[j] * factors;
                int right = positions[start + j - first] * width + 1 + of[i] * factors;
                double dot = 0;
                for (int f = 0; f < factors; f++) {
                    dot += (double) table[left + f] * table[right + f];
                }
                inner += values == null ? dot : dot * values[start + j];
            }
            sum += values == null ? inner : inner * values[start + i];
        }
        return sum;
    }

    /** Sets up a model; it has the defaults of its options until they are set. */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects the options of a model that {@link #builder} begins. */
    public static final class Builder extends ModelBuilder<FieldAwareFactorizationMachine, Builder>
            implements OptionSetter.OfFields<Builder>,
                    OptionSetter.OfFeatures<Builder>,
                    OptionSetter.OfFactors<Builder>,
                    OptionSetter.OfFactorL2<Builder>,
                    OptionSetter.OfTask<Builder>,
                    OptionSetter.OfRandomInit<Builder> {
        private Builder() {
            super(FieldAwareFactorizationMachine::new);
        }

        /** Sets whether an entry's field is its key modulo the number of fields. */
        public Builder fieldKeys(boolean on) {
            return set(FIELD_KEYS.name(), on);
        }
    }

    /** Makes models from named options. */
    public static final class Factory extends ReadingFactory {
        public Factory() {
            super(
                    NAME,
                    "rows of the same few columns, a feature acting differently towards each other"
                            + " one",
                    OPTIONS,
                    FieldAwareFactorizationMachine::new);
        }

        @Override
        public List<ModelOption> columnOptions() {
            return options().stream().filter(option -> !option.equals(FIELD_KEYS)).toList();
        }

        @Override
        public RowShape rowShape() {
            return RowShape.FIELDS;
        }

        @Override
        public Optional<TuningRule> tuning(Map<String, String> given) {
            return TaskLoss.tuning(TuningRule.Kind.FACTORS, given);
        }
    }
}
