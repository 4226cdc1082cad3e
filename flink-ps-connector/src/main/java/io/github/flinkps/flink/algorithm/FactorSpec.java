package io.github.flinkps.flink.algorithm;

import io.github.flinkps.common.InitializerSpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.server.update.UpdateFunctionFactory;
import io.github.flinkps.server.update.UpdateFunctions;
import java.io.Serializable;
import java.util.List;

/**
 * The options that models with vectors of factors share. They are the number of factors, and the
 * spread of their first values, which are normal of mean 0 and standard deviation {@code initStd}.
 * The first values of the biases or weights that share a row with factors are drawn alike.
 *
 * @param factors of a vector
 * @param initSeed of the first values
 */
record FactorSpec(int factors, float initStd, long initSeed) implements Serializable {
    static final ModelOption FACTORS =
            ModelOption.whole("factors", "8", "length of the vectors that are learned");
    static final ModelOption INIT_STD =
            ModelOption.number("init-std", "0.01", "deviation of the random first values");
    static final ModelOption INIT_SEED =
            ModelOption.whole("init-seed", "1", "seed of the random first values");
    static final ModelOption FACTOR_L2 =
            ModelOption.number(
                    "factor-l2",
                    "0",
                    "weight of half the squared factors in the loss of each row, beside the"
                            + " optimizer's l2, which holds weights back too");
    static final ModelOption FIELDS =
            ModelOption.whole("fields", "must be given", "number of entries of each row");

    private static final long serialVersionUID = 1L;

    static FactorSpec of(OptionReader reader) {
        return of(reader, 0.01);
    }

    static FactorSpec of(OptionReader reader, double initStd) {
        return new FactorSpec(
                reader.count(FACTORS.name(), 8, 1, TableSpec.MAX_WIDTH - 1),
                (float) reader.number(INIT_STD.name(), initStd, 0, 1e6),
                initSeed(reader));
    }

    static long initSeed(OptionReader reader) {
        return reader.whole(INIT_SEED.name(), 1, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** Returns the value of option {@code fields}, which is refused when it is missing. */
    static int fields(OptionReader reader, int least) {
        reader.require(FIELDS);
        return reader.count(FIELDS.name(), 0, least, TableSpec.MAX_WIDTH);
    }

    /**
     * Returns the optimizer, when it is one that goes on from random first values.
     *
     * @throws IllegalArgumentException if it is found here and says that it does not
     */
    static UpdateSpec update(OptionReader reader, List<ModelOption> own) {
        UpdateSpec update = reader.update(own, LogisticRegression.DEFAULT_UPDATE);
        if (!UpdateFunctions.find(update.name())
                .map(UpdateFunctionFactory::keepsInitialValues)
                .orElse(true)) {
            throw new IllegalArgumentException(
                    "optimizer "
                            + update.name()
                            + " does not go with this model: it forgets the random first values"
                            + " from which factors are learned");
        }
        return update;
    }

    /** Returns a table of these first values. */
    TableSpec init(TableSpec table) {
        return table.withInitializer(InitializerSpec.normal(0, initStd), initSeed);
    }

    /**
     * Checks that each row has as many entries as there are fields.
     *
     * @throws IllegalArgumentException naming the first row that has not
     */
    static void checkFields(RowBatch rows, int from, int to, int fields) {
        check(rows, from, to, fields, " (--fields)");
    }

    /** Refuses rows that are not pairs; see {@link #checkFields}. */
    static void checkPairs(RowBatch rows, int from, int to) {
        check(rows, from, to, 2, "");
    }

    private static void check(RowBatch rows, int from, int to, int fields, String option) {
        for (int row = from; row < to; row++) {
            int entries = rows.rowStart(row + 1) - rows.rowStart(row);
            if (entries != fields) {
                throw new IllegalArgumentException(
                        place(rows, row)
                                + " has "
                                + (entries == 1 ? "1 entry" : entries + " entries")
                                + ", where each row must have "
                                + fields
                                + option);
            }
        }
    }

    /** Checks that values are 1, for models to which they mean nothing. */
    static void checkOnes(RowBatch rows, int from, int to) {
        float[] values = rows.values();
        for (int row = from; values != null && row < to; row++) {
            for (int i = rows.rowStart(row); i < rows.rowStart(row + 1); i++) {
                if (values[i] != 1) {
                    throw new IllegalArgumentException(
                            place(rows, row)
                                    + " has value "
                                    + values[i]
                                    + " for index "
                                    + rows.keys()[i]
                                    + ", where values must be 1");
                }
            }
        }
    }

    /** Returns a row, for messages, counted from 1. */
    static String place(RowBatch rows, int row) {
        String number = "row " + (rows.firstRow() + row + 1L);
        return rows.block() == RowBatch.NO_BLOCK ? number : number + " of block " + rows.block();
    }
}
