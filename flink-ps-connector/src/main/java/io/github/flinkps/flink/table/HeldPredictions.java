package io.github.flinkps.flink.table;

import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.metrics.Confusion;
import io.github.flinkps.flink.metrics.Evaluation;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Measures predictions that a program outside of Java holds, such as those for a frame of Python,
 * by the measures of the command line.
 */
public final class HeldPredictions {
    private HeldPredictions() {}

    /**
     * Returns the measures by name: those of the algorithm, r2 where numbers are learned, and
     * {@code confusion} where labels are, a list for each label of weights by predicted label.
     *
     * @param definition of the model, as {@link ModelDefinition#toJson} writes it
     * @param scores of all rows, as float32 in little endian, as are the others
     * @param labels as the model sees them
     * @param weights of the rows
     * @throws org.apache.flink.table.api.ValidationException if the definition is wrong
     * @throws IllegalArgumentException for what cannot be a score or label of this kind
     */
    public static Map<String, Object> measure(
            String definition, byte[] scores, byte[] labels, byte[] weights) {
        ModelSpec spec = ModelSpec.of("model", ModelDefinition.fromJson(definition, "a program"));
        TrainingModel model = spec.model();
        Evaluation evaluation = model.evaluation();
        int classes = spec.labels().mostTexts();
        Confusion confusion = new Confusion(classes);
        PredictedLabel decision = new PredictedLabel(model);
        float[] all = floats(scores);
        float[] truths = floats(labels);
        float[] weighs = floats(weights);
        double[] own = new double[model.scoresPerRow()];
        for (int row = 0; row < truths.length; row++) {
            int at = row * own.length;
            evaluation.add(all, at, truths[row], weighs[row]);
            for (int i = 0; i < own.length && classes > 0; i++) {
                own[i] = all[at + i];
            }
            if (classes > 0) {
                confusion.add((int) truths[row], decision.of(own), weighs[row]);
            }
        }
        Map<String, Object> found = new LinkedHashMap<>(evaluation.results());
        Double spread = evaluation.constants().get("rmse");
        if (spread != null) {
            double share = (Double) found.get("rmse") / spread;
            found.put("r2", spread > 0 ? 1 - share * share : Double.NaN);
        }
        if (classes > 0) {
            found.put("confusion", confusion.table());
        }
        return found;
    }

    private static float[] floats(byte[] bytes) {
        FloatBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
        float[] numbers = new float[buffer.remaining()];
        buffer.get(numbers);
        return numbers;
    }
}
