package io.github.flinkps.flink.table.tuning;

import io.github.flinkps.flink.data.OnBadRow;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.internal.compat.OperatorContext;
import io.github.flinkps.flink.table.ModelColumn;
import io.github.flinkps.flink.table.ModelSpec;
import io.github.flinkps.flink.table.RowEncoder;
import io.github.flinkps.flink.training.TrainingException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.table.data.RowData;

/** Looks at the rows that a task gets, and emits its {@link RowShare} at their end. */
final class RowScan extends ShareLogic<RowData> {
    private static final long serialVersionUID = 1L;
    private static final int ROW_BYTES = 256;

    private final RowEncoder encoder;
    private final OnBadRow onBadRow;
    private final List<RowData.FieldGetter> numbers = new ArrayList<>();
    private final TypeSerializer<RowData> serializer;
    private final long seed;
    private transient OperatorContext<byte[]> context;
    private transient SplittableRandom random;
    private transient RowBatchBuilder row;
    private transient DataOutputSerializer bytes;

    /**
     * @param columns of numbers, by their names
     * @param serializer of the rows
     */
    RowScan(
            ModelSpec spec,
            List<String> columns,
            TypeSerializer<RowData> serializer,
            int most,
            long seed) {
        super(columns.size(), most);
        this.encoder = spec.trainingRows();
        this.onBadRow = spec.onBadRow();
        List<ModelColumn> declared = spec.definition().columns();
        for (int place = 0; place < declared.size(); place++) {
            if (columns.contains(declared.get(place).name())) {
                numbers.add(RowEncoder.getter(spec.type(declared.get(place)), place));
            }
        }
        this.serializer = serializer;
        this.seed = seed;
    }

    @Override
    public void open(OperatorContext<byte[]> operatorContext) {
        context = operatorContext;
        // With the rows of a checkpoint those after it draw other numbers than those before.
        random =
                new SplittableRandom(
                        seed + share().rows() * context.parallelism() + context.subtask());
        row = new RowBatchBuilder();
        bytes = new DataOutputSerializer(ROW_BYTES);
    }

    @Override
    public void element(RowData record) throws Exception {
        row.clear();
        try {
            encoder.extract(record, row);
        } catch (Exception e) {
            if (onBadRow == OnBadRow.FAIL) {
                throw new TrainingException("a record cannot be read", e);
            }
            return;
        }
        share().addRow();
        for (int i = 0; i < numbers.size(); i++) {
            Object value = numbers.get(i).getFieldOrNull(record);
            if (value != null) {
                share().column(i).add(RowEncoder.number(value));
            }
        }
        long lot = random.nextLong();
        if (share().draws(lot)) {
            bytes.clear();
            serializer.serialize(record, bytes);
            share().draw(lot, bytes.getCopyOfBuffer());
        }
    }

    @Override
    public void finish() {
        context.emit(share().toBytes());
    }
}
