package io.github.flinkps.flink.ml;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.flink.testing.TestingOperatorContext;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.ml.linalg.DenseVector;
import org.apache.flink.runtime.state.DefaultOperatorStateBackendBuilder;
import org.apache.flink.runtime.state.OperatorStateBackend;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.types.Row;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MeasureLogicTest {
    private static final List<String> COLUMNS = List.of("one", "two");

    static Stream<Measure> measures() {
        ColumnReader label = new ColumnReader("label", 0, false, new IntType());
        ColumnReader raw = new ColumnReader("raw", 1, true, null);
        ColumnReader score = new ColumnReader("score", 2, false, new DoubleType());
        return Stream.of(
                new ClassMeasure(label, label, raw, null, null, List.of("accuracy", "auc")),
                new RankMeasure(label, score, label, 3, List.of("precision", "ndcg")));
    }

    /** A checkpoint after each row, from which another attempt goes on. */
    @ParameterizedTest
    @MethodSource("measures")
    void whatWasCountedIsInCheckpoints(Measure whole) throws Exception {
        Measure none = InstantiationUtil.clone(whole);
        OperatorStateBackend states =
                new DefaultOperatorStateBackendBuilder(
                                getClass().getClassLoader(),
                                new ExecutionConfig(),
                                false,
                                List.of(),
                                new CloseableRegistry())
                        .build();
        for (int i = 0; i < 20; i++) {
            double p = i * 7 % 10 / 10.0;
            Row row = Row.of(i % 2, new DenseVector(new double[] {1 - p, p}), p);
            whole.add(row);
            MeasureLogic logic = new MeasureLogic(none, COLUMNS);
            logic.initializeState(states, i > 0);
            logic.element(row);
            logic.snapshotState(null);
        }
        TestingOperatorContext<Row> context = new TestingOperatorContext<>(0, 1);
        MeasureLogic last = new MeasureLogic(none, COLUMNS);
        last.initializeState(states, true);
        last.open(context);
        last.endOfElements();
        last.finish();
        last.close();
        states.dispose();
        assertThat(context.emitted).hasSize(1);
        Row measured = context.emitted.get(0);
        assertThat(new Object[] {measured.getField("one"), measured.getField("two")})
                .isEqualTo(whole.results())
                .doesNotContainNull();
    }
}
