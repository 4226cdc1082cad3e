package io.github.flinkps.flink.ml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.flink.internal.compat.Barrier;
import io.github.flinkps.flink.internal.compat.OperatorContext;
import io.github.flinkps.flink.serving.ServingException;
import io.github.flinkps.flink.testing.TestingOperatorContext;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.typeutils.TupleTypeInfo;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.state.DefaultOperatorStateBackendBuilder;
import org.apache.flink.runtime.state.OperatorStateBackend;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PredictLogicTest {
    private static final TypeInformation<Row> TYPE = Types.ROW(Types.DOUBLE);

    @TempDir Path folder;
    private final TestingOperatorContext<Row> context = new TestingOperatorContext<>(0, 1);
    private OperatorStateBackend states;
    private PredictLogic logic;

    @BeforeEach
    void begin() throws Exception {
        states =
                new DefaultOperatorStateBackendBuilder(
                                getClass().getClassLoader(),
                                new ExecutionConfig(),
                                false,
                                List.of(),
                                new CloseableRegistry())
                        .build();
        logic = open();
    }

    private PredictLogic open() throws Exception {
        return logic("linear-regression");
    }

    private PredictLogic logic(String algorithm) throws Exception {
        ColumnReader feature = new ColumnReader("x", 0, false, DataTypes.DOUBLE().getLogicalType());
        PredictLogic opened =
                new PredictLogic(
                        algorithm,
                        List.of(feature),
                        new VersionPredictor.Columns(false, false),
                        List.of("x", "p"),
                        TYPE);
        opened.initializeState(states, false);
        opened.open(context);
        return opened;
    }

    @AfterEach
    void end() throws Exception {
        logic.close();
        states.dispose();
    }

    @Test
    void rowsBeforeTheFirstModelAreKeptAndWatermarksWithThem() throws Exception {
        for (int i = 0; i < 1000; i++) {
            logic.element(Row.of((double) i));
        }
        logic.watermark(5, context);
        logic.idleness(true, context);
        logic.beforeBarrier();
        logic.snapshotState(new Barrier(1, 1, false));
        assertThat(context.emitted).isEmpty();
        assertThat(context.times).isEmpty();
        assertThat(context.idleness).isEmpty();
        logic = open();
        logic.snapshotState(new Barrier(2, 2, false));
        assertThat(states.getRegisteredStateNames()).contains("kept-rows");
        int kept = 0;
        for (Object each :
                states.getListState(
                                new ListStateDescriptor<>(
                                        "kept-rows", new TupleTypeInfo<>(Types.LONG, TYPE)))
                        .get()) {
            assertThat(each.toString()).contains(kept + ".0");
            kept++;
        }
        assertThat(kept).isEqualTo(1000);
    }

    @Test
    void modelDataThatEndsWithoutAModelFails() {
        assertThatThrownBy(() -> logic.endOfSecond()).hasMessageContaining("ended without a row");
    }

    @Test
    void aModelThatIsNotThereFails() {
        Row data = new ModelData(folder.resolve("none").toString(), 1, "00000000").row();
        assertThatThrownBy(() -> logic.second(data)).hasMessageContaining("none");
    }

    @Test
    void theNewestModelPredicts() throws Exception {
        logic.element(Row.of(3.0));
        logic.watermark(7, context);
        assertThat(context.emitted).isEmpty();
        logic.second(save(1, 2f).row());
        assertThat(context.emitted).containsExactly(Row.of(3.0, 6.0));
        assertThat(context.times).containsExactly(OperatorContext.NO_TIMESTAMP, 7L);
        logic.element(Row.of(4.0));
        logic.second(save(3, 5f).row());
        logic.second(save(2, 9f).row());
        logic.element(Row.of(4.0));
        logic.endOfSecond();
        logic.finish();
        assertThat(context.emitted)
                .containsExactly(Row.of(3.0, 6.0), Row.of(4.0, 8.0), Row.of(4.0, 20.0));
    }

    @Test
    void rowsWaitForANewerVersionWhenTheOneTheyHaveMadeWay() throws Exception {
        ModelData one = save(1, 2f);
        logic.second(one.row());
        ModelData two = save(2, 5f);
        TestingVersion.remove(one);
        logic.element(Row.of(3.0));
        logic.watermark(7, context);
        logic.idleness(true, context);
        assertThat(context.emitted).isEmpty();
        assertThat(context.times).isEmpty();
        save(3, 4f);
        TestingVersion.remove(two);
        logic.second(two.row());
        assertThat(context.emitted).isEmpty();
        logic.second(ModelData.of(folder.resolve("3").toString(), 3).row());
        assertThat(context.emitted).containsExactly(Row.of(3.0, 12.0));
        assertThat(context.times).containsExactly(OperatorContext.NO_TIMESTAMP, 7L);
        assertThat(context.idleness).containsExactly(true);
        logic.finish();
    }

    @Test
    void aCheckpointsModelMayHaveMadeWay() throws Exception {
        ModelData one = save(1, 2f);
        logic.second(one.row());
        logic.snapshotState(new Barrier(1, 1, false));
        logic.close();
        ModelData two = save(2, 5f);
        TestingVersion.remove(one);
        logic = open();
        logic.element(Row.of(3.0));
        logic.second(two.row());
        assertThat(context.emitted).containsExactly(Row.of(3.0, 15.0));
    }

    @Test
    void rowsThatNothingCanPredictFail() throws Exception {
        ModelData one = save(1, 2f);
        logic.second(one.row());
        logic.endOfSecond();
        TestingVersion.remove(one);
        logic.element(Row.of(3.0));
        assertThatThrownBy(() -> logic.finish())
                .isInstanceOf(ServingException.class)
                .hasMessageContaining(one.path());
        save(2, 2f);
        assertThatThrownBy(() -> logic.finish())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is gone: " + one.path());
    }

    @Test
    void aModelOfAnotherAlgorithmFails() throws Exception {
        Row data = save(1, 2f).row();
        PredictLogic other = logic("logistic-regression");
        assertThatThrownBy(() -> other.second(data))
                .hasMessageContaining("was trained by the algorithm linear-regression");
    }

    private ModelData save(long number, float weight) throws IOException {
        return TestingVersion.save(folder, number, weight);
    }
}
