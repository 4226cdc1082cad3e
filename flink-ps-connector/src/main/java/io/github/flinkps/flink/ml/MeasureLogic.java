package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.internal.compat.Barrier;
import io.github.flinkps.flink.internal.compat.NamedRows;
import io.github.flinkps.flink.internal.compat.OperatorContext;
import io.github.flinkps.flink.internal.compat.OperatorLogic;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;

/** Measures all rows, and emits one row of measures when they have ended. For one task. */
final class MeasureLogic implements OperatorLogic<Row, Row> {
    private static final long serialVersionUID = 1L;

    private final NamedRows measured;
    private Measure measure;
    private transient ListState<byte[]> state;
    private transient OperatorContext<Row> context;

    /**
     * @param measure without rows
     * @param columns names of the measures
     */
    MeasureLogic(Measure measure, List<String> columns) {
        this.measure = measure;
        this.measured = new NamedRows(columns);
    }

    @Override
    public void initializeState(OperatorStateStore states, boolean restored) throws Exception {
        state =
                states.getListState(
                        new ListStateDescriptor<>(
                                "measure", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
        for (byte[] kept : state.get()) {
            ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(kept));
            measure = (Measure) in.readObject();
        }
    }

    @Override
    public void snapshotState(Barrier barrier) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(measure);
        }
        state.update(List.of(bytes.toByteArray()));
    }

    @Override
    public void open(OperatorContext<Row> operatorContext) {
        context = operatorContext;
    }

    @Override
    public void element(Row row) {
        measure.add(row);
    }

    @Override
    public void endOfElements() {}

    @Override
    public void finish() {
        context.emit(measured.of(RowKind.INSERT, measure.results()));
    }

    @Override
    public void close() {}
}
