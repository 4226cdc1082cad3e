package io.github.flinkps.flink.ml;

import io.github.flinkps.common.PsException;
import io.github.flinkps.flink.internal.compat.Barrier;
import io.github.flinkps.flink.internal.compat.NamedRows;
import io.github.flinkps.flink.internal.compat.OperatorContext;
import io.github.flinkps.flink.internal.compat.OperatorLogic;
import io.github.flinkps.flink.internal.compat.SecondInput;
import io.github.flinkps.flink.serving.ServingException;
import java.io.IOException;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Predicts rows, input 1, with the newest model of input 2, whose model data every subtask gets.
 * Rows that come before the first model are kept, on the heap and in checkpoints. Holding them back
 * could hold up the training that makes the model. Rows are also kept when the files of the newest
 * known model have made way for newer ones: the data of the newer model is then on its way.
 * Watermarks and idleness follow the rows before them.
 */
final class PredictLogic implements OperatorLogic<Row, Row>, SecondInput<Row> {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(PredictLogic.class);
    private static final int MOST_ROWS = 256;
    private static final long LINGER_MILLIS = 5;
    private static final String NEWEST = "newest";

    private final String algorithm;
    private final List<ColumnReader> features;
    private final VersionPredictor.Columns wanted;
    private final NamedRows predicted;
    private final TypeInformation<Row> type;
    private transient OperatorContext<Row> context;
    private transient ListState<Tuple2<Long, Row>> keptState;
    private transient BroadcastState<String, Row> modelState;
    private transient List<Tuple2<Long, Row>> waiting;
    private transient ModelData data;
    private transient VersionPredictor model;
    private transient boolean due;
    private transient Long pendingWatermark;
    private transient Boolean pendingIdleness;

    /**
     * @param algorithm that trains the models
     * @param features columns of the rows
     * @param wanted columns that are added
     * @param columns of what is emitted
     * @param type of the rows
     */
    PredictLogic(
            String algorithm,
            List<ColumnReader> features,
            VersionPredictor.Columns wanted,
            List<String> columns,
            TypeInformation<Row> type) {
        this.algorithm = algorithm;
        this.features = List.copyOf(features);
        this.wanted = wanted;
        this.predicted = new NamedRows(columns);
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
        VersionPredictor next;
        try {
            next = new VersionPredictor(algorithm, found, features, wanted);
        } catch (IOException | PsException e) {
            if (!found.superseded()) {
                throw e;
            }
            LOG.info("{} made way for a newer version, which is waited for", found.path());
            return;
        }
        drop();
        model = next;
        data = found;
        predict();
        release();
    }

    private void drop() {
        if (model != null) {
            model.close();
            model = null;
        }
    }

    /** Emits what came after rows that were kept, when none are. */
    private void release() {
        if (model == null) {
            return;
        }
        if (pendingWatermark != null) {
            context.emitWatermark(pendingWatermark);
        }
        if (pendingIdleness != null) {
            context.emitIdleness(pendingIdleness);
        }
        pendingWatermark = null;
        pendingIdleness = null;
    }

    @Override
    public void endOfSecond() {
        if (model == null) {
            throw new IllegalStateException(
                    "the table of model data has ended without a row of a model that is there");
        }
    }

    /** Predicts what waits, if there is a model. */
    private void predict() throws Exception {
        if (model == null || waiting.isEmpty()) {
            return;
        }
        int done = 0;
        try {
            while (done < waiting.size()) {
                int to = Math.min(done + MOST_ROWS, waiting.size());
                predict(waiting.subList(done, to));
                done = to;
            }
        } catch (ServingException e) {
            if (!data.superseded()) {
                throw e;
            }
            LOG.info("{} made way for a newer version, which is waited for", data.path());
            drop();
        }
        waiting.subList(0, done).clear();
    }

    private void predict(List<Tuple2<Long, Row>> records) throws Exception {
        List<Object[]> results = model.of(records.stream().map(record -> record.f1).toList());
        for (int i = 0; i < records.size(); i++) {
            Row row = records.get(i).f1;
            int added = wanted.raw() ? 2 : 1;
            Object[] out = new Object[row.getArity() + added];
            for (int at = 0; at < row.getArity(); at++) {
                out[at] = row.getField(at);
            }
            System.arraycopy(results.get(i), 0, out, row.getArity(), added);
            context.emit(predicted.of(row.getKind(), out), records.get(i).f0);
        }
    }

    @Override
    public void watermark(long timestamp, OperatorContext<Row> operatorContext) throws Exception {
        predict();
        pendingWatermark = timestamp;
        release();
    }

    @Override
    public void idleness(boolean idle, OperatorContext<Row> operatorContext) throws Exception {
        predict();
        pendingIdleness = idle;
        release();
    }

    @Override
    public void endOfElements() {}

    @Override
    public void finish() throws Exception {
        predict();
        if (!waiting.isEmpty()) {
            throw new IllegalStateException(
                    "the table of model data has ended, and the last model it names is gone: "
                            + data.path());
        }
    }

    @Override
    public void close() {
        drop();
    }
}
