package io.github.flinkps.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class HeldPredictionsTest {
    private static byte[] bytes(double... numbers) {
        ByteBuffer buffer = ByteBuffer.allocate(4 * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
        for (double number : numbers) {
            buffer.putFloat((float) number);
        }
        return buffer.array();
    }

    private static String definition(String algorithm, Map<String, String> more) {
        Map<String, String> options = new TreeMap<>(more);
        options.put("algorithm", algorithm);
        options.put("label", "y");
        List<ModelColumn> columns =
                List.of(ModelColumn.of("x", "DOUBLE"), ModelColumn.of("y", "INT"));
        return new ModelDefinition("", columns, options).toJson();
    }

    @Test
    void classesAreMeasuredAndConfused() {
        Map<String, Object> measured =
                HeldPredictions.measure(
                        definition("softmax", Map.of("classes", "3")),
                        bytes(.5, .25, .25, .25, .5, .25),
                        bytes(0, 2),
                        bytes(1, 3));
        assertThat(measured.keySet()).containsExactly("logloss", "accuracy", "confusion");
        assertThat((Double) measured.get("logloss")).isCloseTo(Math.log(2) * 7 / 4, within(1e-12));
        assertThat(measured)
                .containsEntry("accuracy", 0.25)
                .containsEntry(
                        "confusion",
                        List.of(List.of(1., 0., 0.), List.of(0., 0., 0.), List.of(0., 3., 0.)));
    }

    @Test
    void twoLabelsAreConfusedAsTheyArePredicted() {
        Map<String, Object> measured =
                HeldPredictions.measure(
                        definition("logistic-regression", Map.of()),
                        bytes(.5, .25),
                        bytes(0, 0),
                        bytes(1, 1));
        assertThat(measured)
                .containsEntry("accuracy", 0.5)
                .containsEntry("confusion", List.of(List.of(1., 1.), List.of(0., 0.)));
    }

    @Test
    void numbersHaveAnR2AndNoConfusion() {
        Map<String, Object> measured =
                HeldPredictions.measure(
                        definition("linear-regression", Map.of()),
                        bytes(1, 3),
                        bytes(0, 4),
                        bytes(1, 1));
        assertThat(measured.keySet()).containsExactly("rmse", "mae", "r2");
        assertThat(measured).containsEntry("r2", 0.75);
    }
}
