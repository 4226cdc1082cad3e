package io.github.flinkps.flink.ml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.flink.internal.compat.Barrier;
import io.github.flinkps.flink.testing.TestingOperatorContext;
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

/** Rows before the first model; what models do is tested with them. */
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
        ColumnReader feature = new ColumnReader("x", 0, false, DataTypes.DOUBLE().getLogicalType());
        PredictLogic opened = new PredictLogic(List.of(feature), false, TYPE);
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
}
