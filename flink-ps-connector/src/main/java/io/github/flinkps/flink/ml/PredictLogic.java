package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.internal.compat.Barrier;
import io.github.flinkps.flink.internal.compat.OperatorContext;
import io.github.flinkps.flink.internal.compat.OperatorLogic;
import io.github.flinkps.flink.internal.compat.SecondInput;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.typeutils.TupleTypeInfo;
import org.apache.flink.types.Row;

/**
 * Predicts rows, input 1, with the newest model of input 2, whose model data every subtask gets.
 * Rows that come before the first model are kept, on the heap and in checkpoints: holding them back
 * could hold up the training that makes it. Watermarks and idleness follow the rows before them.
 */
final class PredictLogic implements OperatorLogic<Row, Row>, SecondInput<Row> {
    private static final long serialVersionUID = 1L;
    private static final int MOST_ROWS = 256;
    private static final long LINGER_MILLIS = 5;
    private static final String NEWEST = "newest";

    private final List<ColumnReader> features;
    private final boolean raw;
    private final TypeInformation<Row> type;
    private transient OperatorContext<Row> context;
    private transient ListState<Tuple2<Long, Row>> keptState;
    private transient BroadcastState<String, Row> modelState;
    private transient List<Tuple2<Long, Row>> waiting;
    private transient ModelData data;
    private transient Predictions model;
    private transient boolean due;
    private transient Long heldWatermark;
    private transient Boolean heldIdleness;

    /**
     * @param features columns of the rows
     * @param raw whether the raw prediction is added too
     * @param type of the rows
     */
    PredictLogic(List<ColumnReader> features, boolean raw, TypeInformation<Row> type) {
        this.features = List.copyOf(features);
        this.raw = raw;
        this.type = type;
    }

    @Override
    public void initializeState(OperatorStateStore states, boolean restored) throws Exception {
        keptState =
                states.getListState(
                        new ListStateDescriptor<>(
                                "kept-rows", new TupleTypeInfo<>(Types.LONG, type)));
        modelState =
                states.getBroadcastState(
                        new MapStateDescriptor<>("model-data", Types.STRING, ModelData.TYPE));
        waiting = new ArrayList<>();
        keptState.get().forEach(waiting::add);
    }

    @Override
    public void beforeBarrier() throws Exception {
        predict();
    }

    @Override
    public void snapshotState(Barrier barrier) throws Exception {
        keptState.update(waiting);
        if (data != null) {
            modelState.put(NEWEST, data.row());
        }
    }

    @Override
    public void open(OperatorContext<Row> operatorContext) throws Exception {
        context = operatorContext;
        if (modelState.contains(NEWEST)) {
            second(modelState.get(NEWEST));
        }
    }

    @Override
    public void element(Row record) throws Exception {
        waiting.add(Tuple2.of(context.timestamp(), record));
        if (waiting.size() >= MOST_ROWS) {
            predict();
        } else if (model != null && !due) {
            due = true;
            context.executeLater(LINGER_MILLIS, this::linger);
        }
    }

    private void linger() throws Exception {
        due = false;
        predict();
    }

    @Override
    public void second(Row newer) throws Exception {
        ModelData found = ModelData.of(newer);
        if (data != null && found.version() <= data.version()) {
            return;
        }
        predict();
        Predictions next = new Predictions(found, features, raw);
        if (model != null) {
            model.close();
        }
        model = next;
        data = found;
        predict();
        if (heldWatermark != null) {
            context.emitWatermark(heldWatermark);
        }
        if (heldIdleness != null) {
            context.emitIdleness(heldIdleness);
        }
        heldWatermark = null;
        heldIdleness = null;
    }

    @Override
    public void endOfSecond() {
        if (data == null) {
            throw new IllegalStateException("the table of model data has ended without a row");
        }
    }

    /** Predicts what waits, if there is a model. */
    private void predict() throws Exception {
        if (model == null || waiting.isEmpty()) {
            return;
        }
        for (int from = 0; from < waiting.size(); from += MOST_ROWS) {
            int to = Math.min(from + MOST_ROWS, waiting.size());
            predict(waiting.subList(from, to));
        }
        waiting.clear();
    }

    private void predict(List<Tuple2<Long, Row>> records) throws Exception {
        List<Object[]> results = model.of(records.stream().map(record -> record.f1).toList());
        for (int i = 0; i < records.size(); i++) {
            Row row = records.get(i).f1;
            int added = raw ? 2 : 1;
            Row out = Row.withPositions(row.getKind(), row.getArity() + added);
            for (int at = 0; at < row.getArity(); at++) {
                out.setField(at, row.getField(at));
            }
            for (int at = 0; at < added; at++) {
                out.setField(row.getArity() + at, results.get(i)[at]);
            }
            context.emit(out, records.get(i).f0);
        }
    }

    @Override
    public void watermark(long timestamp, OperatorContext<Row> operatorContext) throws Exception {
        if (model == null) {
            heldWatermark = timestamp;
            return;
        }
        predict();
        operatorContext.emitWatermark(timestamp);
    }

    @Override
    public void idleness(boolean idle, OperatorContext<Row> operatorContext) throws Exception {
        if (model == null) {
            heldIdleness = idle;
            return;
        }
        predict();
        operatorContext.emitIdleness(idle);
    }

    @Override
    public void endOfElements() {}

    @Override
    public void finish() throws Exception {
        predict();
    }

    @Override
    public void close() {
        if (model != null) {
            model.close();
        }
    }
}
