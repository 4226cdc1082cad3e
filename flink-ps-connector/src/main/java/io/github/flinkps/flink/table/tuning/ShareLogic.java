package io.github.flinkps.flink.table.tuning;

import io.github.flinkps.flink.internal.compat.Barrier;
import io.github.flinkps.flink.internal.compat.OperatorLogic;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;

/**
 * Gathers a {@link RowShare}, which is the state of its operator.
 *
 * @param <I> what it is gathered of
 * @param <O> what is emitted
 */
abstract class ShareLogic<I, O> implements OperatorLogic<I, O> {
    private static final long serialVersionUID = 1L;

    private final int columns;
    private final int most;
    private transient RowShare share;
    private transient ListState<byte[]> state;

    /**
     * @param columns of numbers
     * @param most rows that are drawn
     */
    ShareLogic(int columns, int most) {
        this.columns = columns;
        this.most = most;
    }

    final RowShare share() {
        return share;
    }

    @Override
    public void initializeState(OperatorStateStore states, boolean restored) throws Exception {
        share = new RowShare(columns, most);
        state =
                states.getListState(
                        new ListStateDescriptor<>(
                                "share", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
        for (byte[] before : state.get()) {
            share.merge(before);
        }
    }

    @Override
    public void snapshotState(Barrier barrier) throws Exception {
        state.clear();
        state.add(share.toBytes());
    }

    @Override
    public void endOfElements() {}

    @Override
    public void close() {}
}
