package io.github.flinkps.flink.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.RowBatch;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests what holds for every model there is. */
class AllModelsTest {
    private static final int MOST_BYTES = 1024;

    static Stream<TrainingModelFactory> factories() {
        return ServiceLoader.load(TrainingModelFactory.class).stream()
                .map(ServiceLoader.Provider::get);
    }

    private static TrainingModel model(TrainingModelFactory factory) {
        Map<String, String> options = new TreeMap<>();
        for (ModelOption option : factory.options()) {
            if (option.name().equals("fields")) {
                options.put("fields", "2");
            } else if (option.name().equals("classes")) {
                options.put("classes", "5");
            }
        }
        return factory.create(options);
    }

    private static RowBatch rows(TrainingModel model) {
        boolean binary = model.labels().kind() == Labels.Kind.BINARY;
        return GradientCheck.rows(
                new Random(1), 0, 2, false, random -> random.nextInt(binary ? 2 : 5));
    }

    /** Takes keys without keeping any. */
    private static final class Ignoring implements KeyCollector {
        @Override
        public void add(int table, long[] keys, int from, int to) {}

        @Override
        public void add(int table, long key) {}

        @Override
        public void range(int table, long fromKey, long toKey) {}

        @Override
        public long seed() {
            return 1;
        }
    }

    @ParameterizedTest
    @MethodSource("factories")
    void allocatesNothingPerRow(TrainingModelFactory factory) {
        TrainingModel model = model(factory);
        RowBatch rows = rows(model);
        TestingParameters parameters = new TestingParameters(model, rows, 0, 12);
        Gradients gradients = parameters.zeroedGradients();
        float[] scores = new float[12 * model.scoresPerRow()];
        Ignoring keys = new Ignoring();
        var thread = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = Long.MAX_VALUE;
        for (int round = 0; round < 3; round++) {
            long before = thread.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 100; i++) {
                model.touch(rows, 0, 12, keys);
                model.gradients(rows, 0, 12, parameters, gradients);
                model.score(rows, 0, 12, parameters, scores, 0);
            }
            allocated = Math.min(allocated, thread.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(allocated).isLessThan(MOST_BYTES);
    }

    @ParameterizedTest
    @MethodSource("factories")
    void travelsAfterUseAndComesBackFromItsOptions(TrainingModelFactory factory) throws Exception {
        TrainingModel model = model(factory);
        assertThat(model.name()).isEqualTo(factory.name());
        RowBatch rows = rows(model);
        TestingParameters parameters = new TestingParameters(model, rows, 0, 12);
        double loss = model.gradients(rows, 0, 12, parameters, parameters.zeroedGradients());
        TrainingModel shipped = InstantiationUtil.clone(model);
        assertThat(shipped.tables()).isEqualTo(model.tables());
        assertThat(shipped.gradients(rows, 0, 12, parameters, parameters.zeroedGradients()))
                .isEqualTo(loss);
        TrainingModel again = TrainingModels.create(model.name(), model.options());
        assertThat(again.tables()).isEqualTo(model.tables());
        assertThat(again.options()).isEqualTo(model.options());
        assertThat(again.labels()).isEqualTo(model.labels());
        assertThat(again.scoresPerRow()).isEqualTo(model.scoresPerRow());
    }

    @ParameterizedTest
    @MethodSource("factories")
    void namesEachOptionOnce(TrainingModelFactory factory) {
        assertThat(factory.options())
                .extracting(ModelOption::name)
                .doesNotHaveDuplicates()
                .doesNotContain("optimizer");
    }
}
