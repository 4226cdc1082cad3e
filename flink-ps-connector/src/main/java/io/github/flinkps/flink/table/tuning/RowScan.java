package io.github.flinkps.flink.table.tuning;

import io.github.flinkps.flink.data.OnBadRow;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.data.RowExtractor;
import io.github.flinkps.flink.internal.compat.OperatorContext;
import io.github.flinkps.flink.table.ModelSpec;
import io.github.flinkps.flink.table.RowEncoder;
import io.github.flinkps.flink.training.TrainingException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * Looks at the records that a task gets, and emits their {@link RowShare} at their end.
 *
 * @param <T> the records
 */
final class RowScan<T> extends ShareLogic<T, byte[]> {
    private static final long serialVersionUID = 1L;
    private static final int ROW_BYTES = 256;

    private final RowExtractor<T> extractor;
    private final OnBadRow onBadRow;
    private final RowReader<T> reader;
    private final List<Integer> numbers = new ArrayList<>();
    private final TypeSerializer<T> serializer;
    private final long seed;
    private transient OperatorContext<byte[]> context;
    private transient SplittableRandom random;
    private transient RowBatchBuilder row;
    private transient DataOutputSerializer bytes;

    RowScan(OptionSearch<T> search, long seed) {
        super(search.tuning().columns().size(), RowTuning.MOST_ROWS);
        ModelSpec spec = search.tuning().spec();
        this.extractor = search.reader().extractor(spec);
        this.onBadRow = spec.onBadRow();
        this.reader = search.reader();
        List<String> declared = ModelSpec.names(spec.definition().columns());
        search.tuning().columns().forEach(column -> numbers.add(declared.indexOf(column)));
        this.serializer = search.serializer();
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
    public void element(T record) throws Exception {
        row.clear();
        try {
            extractor.extract(record, row);
        } catch (Exception e) {
            if (onBadRow == OnBadRow.FAIL) {
                throw new TrainingException("a record cannot be read", e);
            }
            return;
        }
        share().addRow();
        for (int i = 0; i < numbers.size(); i++) {
            Object value = reader.value(record, numbers.get(i));
            if (value != null) {
                share().number(i, RowEncoder.number(value));
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
