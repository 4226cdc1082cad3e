package io.github.flinkps.flink.algorithm;

import io.github.flinkps.common.InitializerSpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;

/**
 * Fully connected layers with rectifiers between them, {@code a = max(0, bias + a W)}, the last one
 * without, and their gradients by back-propagation (Rumelhart, Hinton, Williams: Learning
 * representations by back-propagating errors, Nature 1986). Each layer has two dense tables, read
 * whole. {@code layer-N} has a row for each input, as wide as the layer has outputs. Its values are
 * at first normal of deviation {@code sqrt(2 / inputs)} (He, Zhang, Ren, Sun: Delving deep into
 * rectifiers, ICCV 2015). {@code bias-N} has one row, 0 at first and not regularised.
 *
 * <p>One row of data at a time: the caller fills {@link #input}, calls {@link #forward} and then,
 * to train, {@link #backward}.
 */
final class DenseNetwork implements Serializable {
    static final ModelOption HIDDEN =
            ModelOption.text(
                    "hidden",
                    "128",
                    "widths of the hidden layers, separated by commas, such as 64,32");

    private static final long serialVersionUID = 1L;
    private static final int MOST_LAYERS = 16;

    private final int[] sizes;
    private final int firstTable;
    private final boolean rectifiedInput;
    private transient float[][] activations;
    private transient float[][] errors;

    /**
     * A network.
     *
     * @param sizes of the input, the hidden layers and the output
     * @param firstTable number of its first table in the model
     * @param rectifiedInput whether the inputs come from a rectifier, so that those of 0 need no
     *     error
     */
    DenseNetwork(int[] sizes, int firstTable, boolean rectifiedInput) {
        this.sizes = sizes.clone();
        this.firstTable = firstTable;
        this.rectifiedInput = rectifiedInput;
    }

    /**
     * Returns the widths of option {@code hidden}.
     *
     * @throws IllegalArgumentException if it is no list of widths
     */
    static int[] hidden(OptionReader reader) {
        String text = reader.text(HIDDEN.name(), "128");
        String[] parts = text.split(",", -1);
        int[] widths = new int[parts.length];
        for (int i = 0; i < parts.length; i++) {
            try {
                widths[i] = Integer.parseInt(parts[i].trim());
            } catch (NumberFormatException e) {
                widths[i] = 0;
            }
            if (widths[i] < 1 || widths[i] > TableSpec.MAX_WIDTH || parts.length > MOST_LAYERS) {
                throw new IllegalArgumentException(
                        HIDDEN.name()
                                + " must be 1 to "
                                + MOST_LAYERS
                                + " whole numbers between 1 and "
                                + TableSpec.MAX_WIDTH
                                + " separated by commas, not '"
                                + text
                                + "'");
            }
        }
        return widths;
    }

    private int layers() {
        return sizes.length - 1;
    }

    /**
     * Adds its tables.
     *
     * @param number of its first layer, for the names of the tables
     */
    void addTables(List<TableSpec> tables, int number, UpdateSpec update, long seed) {
        for (int layer = 0; layer < layers(); layer++) {
            float deviation = (float) Math.sqrt(2.0 / sizes[layer]);
            int width = sizes[layer + 1];
            tables.add(
                    TableSpec.dense("layer-" + (number + layer), sizes[layer], width, update)
                            .withInitializer(InitializerSpec.normal(0, deviation), seed));
            tables.add(bias(number + layer, width, update));
        }
    }

    /** Returns the table of the biases of a layer. */
    static TableSpec bias(int number, int width, UpdateSpec update) {
        return TableSpec.dense("bias-" + number, 1, width, NamedModel.unregularised(update));
    }

    void touch(KeyCollector keys) {
        for (int layer = 0; layer < layers(); layer++) {
            keys.range(firstTable + 2 * layer, 0, sizes[layer]);
            keys.range(firstTable + 2 * layer + 1, 0, 1);
        }
    }

    private void prepare() {
        if (activations == null) {
            activations = new float[sizes.length][];
            errors = new float[sizes.length][];
            for (int i = 0; i < sizes.length; i++) {
                activations[i] = new float[sizes[i]];
                errors[i] = new float[sizes[i]];
            }
        }
    }

    /** Returns the array that the input is to be put in. */
    float[] input() {
        prepare();
        return activations[0];
    }

    /** Returns the derivatives by the inputs. Call it after {@link #backward}. */
    float[] inputErrors() {
        return errors[0];
    }

    /** Returns the array in which {@link #backward} finds the derivatives by the outputs. */
    float[] outputErrors() {
        prepare();
        return errors[layers()];
    }

    /** Returns the outputs for what is in {@link #input}. */
    float[] forward(Parameters parameters) {
        for (int layer = 0; layer < layers(); layer++) {
            float[] out = activations[layer + 1];
            float[] weights = parameters.values(firstTable + 2 * layer);
            float[] biases = parameters.values(firstTable + 2 * layer + 1);
            System.arraycopy(biases, 0, out, 0, out.length);
            float[] in = activations[layer];
            if (out.length == 1) {
                out[0] += dot(weights, 0, in, in.length);
            }
            for (int k = 0; out.length > 1 && k < in.length; k++) {
                if (in[k] != 0) {
                    addScaled(out, 0, weights, k * out.length, in[k], out.length);
                }
            }
            if (layer + 1 < layers()) {
                rectify(out);
            }
        }
        return activations[layers()];
    }

    /**
     * Adds the gradients of all layers, given {@link #outputErrors}. Call it after {@link
     * #forward}.
     */
    void backward(Parameters parameters, Gradients gradients) {
        for (int layer = layers() - 1; layer >= 0; layer--) {
            float[] delta = errors[layer + 1];
            int width = delta.length;
            float[] weights = parameters.values(firstTable + 2 * layer);
            float[] gradient = gradients.values(firstTable + 2 * layer);
            addScaled(gradients.values(firstTable + 2 * layer + 1), 0, delta, 0, 1, width);
            float[] in = activations[layer];
            float[] before = errors[layer];
            boolean rectified = layer > 0 || rectifiedInput;
            Arrays.fill(before, 0);
            if (width == 1) {
                addScaled(gradient, 0, in, 0, delta[0], in.length);
            }
            for (int k = 0; k < in.length; k++) {
                if (in[k] != 0 && width > 1) {
                    addScaled(gradient, k * width, delta, 0, in[k], width);
                }
                if (in[k] != 0 || !rectified) {
                    before[k] = dot(weights, k * width, delta, width);
                }
            }
        }
    }

    /** Replaces each value {@code x} by {@code max(0, x)}. */
    static void rectify(float[] values) {
        for (int i = 0; i < values.length; i++) {
            values[i] = Math.max(0, values[i]);
        }
    }

    /** Adds {@code scale} times {@code count} values to others. */
    static void addScaled(float[] to, int toAt, float[] from, int at, float scale, int count) {
        for (int i = 0; i < count; i++) {
            to[toAt + i] += scale * from[at + i];
        }
    }

    /** Returns the product; of several sums, none of which waits for the one before. */
    private static float dot(float[] left, int at, float[] right, int count) {
        float first = 0;
        float second = 0;
        float third = 0;
        float fourth = 0;
        int i = 0;
        for (; i + 3 < count; i += 4) {
            first += left[at + i] * right[i];
            second += left[at + i + 1] * right[i + 1];
            third += left[at + i + 2] * right[i + 2];
            fourth += left[at + i + 3] * right[i + 3];
        }
        for (; i < count; i++) {
            first += left[at + i] * right[i];
        }
        return first + second + (third + fourth);
    }
}
