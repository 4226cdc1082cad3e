package io.github.flinkps.flink.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Compares a model's gradients with differences of its loss, at random parameters. */
final class GradientCheck {
    private static final float STEP = 1f / 1024;
    private static final double TOLERANCE = 4e-3;

    private final TrainingModel model;
    private final double deviation;
    private final List<List<String>> wrong = new ArrayList<>();
    private final long[] compared;

    /**
     * @param deviation of the parameters, which are normal of mean 0
     */
    GradientCheck(TrainingModel model, double deviation) {
        this.model = model;
        this.deviation = deviation;
        this.compared = new long[model.tables().size()];
        model.tables().forEach(table -> wrong.add(new ArrayList<>()));
    }

    /** Labels of random rows. */
    interface LabelSource {
        float draw(Random random);
    }

    /** Rows of up to five entries of ten keys, which may repeat; every second time with weights. */
    static RowBatch rows(Random random, int round, LabelSource labels) {
        RowBatchBuilder builder = new RowBatchBuilder();
        for (int row = 0; row < 12; row++) {
            int entries = random.nextInt(6);
            for (int i = 0; i < entries; i++) {
                builder.add(random.nextInt(10), round % 4 < 2 ? (float) random.nextGaussian() : 1f);
            }
            end(builder, random, round, labels);
        }
        return builder.build();
    }

    /** Rows of one of seven keys for each field. */
    static RowBatch rows(Random random, int round, int fields, boolean values, LabelSource labels) {
        RowBatchBuilder builder = new RowBatchBuilder();
        for (int row = 0; row < 12; row++) {
            for (int i = 0; i < fields; i++) {
                float value = values && round % 4 < 2 ? (float) random.nextGaussian() : 1f;
                builder.add(10L * i + random.nextInt(7), value);
            }
            end(builder, random, round, labels);
        }
        return builder.build();
    }

    private static void end(RowBatchBuilder to, Random random, int round, LabelSource labels) {
        to.endRow(labels.draw(random), round % 2 == 0 ? 0.1f + random.nextFloat() : 1f);
    }

    /** Compares every value of every table for the rows from {@code from} on. */
    GradientCheck compare(RowBatch rows, int from, Random random) {
        TestingParameters parameters = new TestingParameters(model, rows, from, rows.rows());
        int tables = model.tables().size();
        for (int table = 0; table < tables; table++) {
            float[] values = parameters.values(table);
            for (int i = 0; i < values.length; i++) {
                values[i] = (float) (deviation * random.nextGaussian());
            }
        }
        Gradients gradients = parameters.zeroedGradients();
        model.gradients(rows, from, rows.rows(), parameters, gradients);
        float[][] found = new float[tables][];
        for (int table = 0; table < tables; table++) {
            found[table] = gradients.values(table).clone();
        }
        for (int table = 0; table < tables; table++) {
            for (int i = 0; i < found[table].length; i++) {
                double expected = difference(rows, from, parameters, table, i);
                compared[table]++;
                if (!(Math.abs(found[table][i] - expected)
                        <= TOLERANCE * (1 + Math.abs(expected)))) {
                    wrong.get(table).add(i + " is " + found[table][i] + ", not " + expected);
                }
            }
        }
        return this;
    }

    private double difference(
            RowBatch rows, int from, TestingParameters parameters, int table, int i) {
        float[] values = parameters.values(table);
        float old = values[i];
        values[i] = old + STEP;
        double up = values[i];
        double above = loss(rows, from, parameters);
        values[i] = old - STEP;
        double down = values[i];
        double below = loss(rows, from, parameters);
        values[i] = old;
        return (above - below) / (up - down);
    }

    private double loss(RowBatch rows, int from, TestingParameters parameters) {
        return model.gradients(rows, from, rows.rows(), parameters, parameters.zeroedGradients());
    }

    /**
     * Fails if more than a share of a table's gradients are wrong, and a few by chance; some are
     * where the loss has kinks.
     */
    void verify(double share, long seed) {
        for (int table = 0; table < compared.length; table++) {
            assertThat(compared[table]).isPositive();
            assertThat(wrong.get(table))
                    .as(
                            "%s, table %d, seed %d, of %d compared",
                            model.name(), table, seed, compared[table])
                    .hasSizeLessThanOrEqualTo(share == 0 ? 0 : 3 + (int) (share * compared[table]));
        }
    }
}
