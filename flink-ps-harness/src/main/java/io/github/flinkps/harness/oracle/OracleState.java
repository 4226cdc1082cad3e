package io.github.flinkps.harness.oracle;

import io.github.flinkps.client.Residual;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.training.StateNames;
import io.github.flinkps.flink.training.rows.CachedBatch;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RunnableFuture;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.state.BackendBuildingException;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.OperatorStateBackend;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;

/**
 * Flink's state on the heap, which notes what each worker has in a checkpoint of rows that it has
 * not trained yet, or trains again, and fails checkpoints.
 */
public final class OracleState extends HashMapStateBackend {
    /** The name of the notes of workers. */
    static final String NOTE = "rows";

    static final String RETAINED = "retained";

    private static final long serialVersionUID = 1L;

    private final OracleHooks hooks;

    OracleState(OracleHooks hooks) {
        this.hooks = hooks;
    }

    /** Returns this: nothing in a configuration changes it. */
    @Override
    public HashMapStateBackend configure(ReadableConfig config, ClassLoader loader) {
        return this;
    }

    @Override
    public OperatorStateBackend createOperatorStateBackend(OperatorStateBackendParameters of)
            throws BackendBuildingException {
        return new Noting(
                super.createOperatorStateBackend(of),
                of.getEnv().getJobID().toString(),
                of.getEnv().getTaskInfo().getIndexOfThisSubtask());
    }

    /** The state of one operator. */
    private final class Noting implements OperatorStateBackend {
        private final OperatorStateBackend state;
        private final String job;
        private final int subtask;
        private final Map<String, ListState<?>> lists = new HashMap<>();

        Noting(OperatorStateBackend state, String job, int subtask) {
            this.state = state;
            this.job = job;
            this.subtask = subtask;
        }

        @Override
        public <S> ListState<S> getListState(ListStateDescriptor<S> descriptor) throws Exception {
            ListState<S> list = state.getListState(descriptor);
            lists.put(descriptor.getName(), list);
            return list;
        }

        @Override
        public RunnableFuture<SnapshotResult<OperatorStateHandle>> snapshot(
                long checkpoint,
                long timestamp,
                CheckpointStreamFactory factory,
                CheckpointOptions options)
                throws Exception {
            boolean worker = lists.containsKey(StateNames.WAITING);
            if (worker) {
                String number = Long.toString(checkpoint);
                hooks.note(OracleHooks.name(job, number, RETAINED, subtask), retained());
                hooks.note(OracleHooks.name(job, number, NOTE, subtask), rows());
            }
            RunnableFuture<SnapshotResult<OperatorStateHandle>> written =
                    state.snapshot(checkpoint, timestamp, factory, options);
            return worker ? new Failing(written) : written;
        }

        /** Returns table, key and values of the updates that the worker retains, as bytes. */
        @SuppressWarnings("unchecked")
        private byte[] retained() throws Exception {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            for (Residual part : ((ListState<Residual>) lists.get(StateNames.RESIDUALS)).get()) {
                int width = part.width();
                for (int row = 0; row < part.rows(); row++) {
                    out.writeInt(OracleModel.COUNTED.indexOf(part.table()));
                    out.writeLong(part.keys()[row]);
                    out.writeInt(width);
                    for (int i = row * width; i < (row + 1) * width; i++) {
                        out.writeFloat(part.values()[i]);
                    }
                }
            }
            return bytes.toByteArray();
        }

        /**
         * Returns the rows of one pass that wait, then mini-batches with how often each has been
         * trained, all as bytes.
         */
        @SuppressWarnings("unchecked")
        private byte[] rows() throws Exception {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            for (RowBatch batch : ((ListState<RowBatch>) lists.get(StateNames.WAITING)).get()) {
                write(0, batch, out);
            }
            ListState<CachedBatch> cached = (ListState<CachedBatch>) lists.get(StateNames.CACHED);
            for (CachedBatch each : cached.get()) {
                if (each.begun()) { // only where single rows are shuffled
                    throw new IOException("the oracle does not know mini-batches that are begun");
                }
                write(each.due(), each.rows().read(), out);
            }
            return bytes.toByteArray();
        }

        private static void write(int times, RowBatch batch, DataOutputStream out)
                throws IOException {
            for (int row = 0; row < batch.rows(); row++) {
                out.writeInt(times);
                out.writeLong(batch.keys()[batch.rowStart(row)]);
            }
        }

        @Override
        public <K, V> BroadcastState<K, V> getBroadcastState(MapStateDescriptor<K, V> descriptor)
                throws Exception {
            return state.getBroadcastState(descriptor);
        }

        @Override
        public <S> ListState<S> getUnionListState(ListStateDescriptor<S> descriptor)
                throws Exception {
            return state.getUnionListState(descriptor);
        }

        @Override
        public Set<String> getRegisteredStateNames() {
            return state.getRegisteredStateNames();
        }

        @Override
        public Set<String> getRegisteredBroadcastStateNames() {
            return state.getRegisteredBroadcastStateNames();
        }

        @Override
        public void close() throws IOException {
            state.close();
        }

        @Override
        public void dispose() {
            state.dispose();
        }
    }

    /** A worker's part of a checkpoint, which fails if it is to fail. */
    private final class Failing extends FutureTask<SnapshotResult<OperatorStateHandle>> {
        private final RunnableFuture<?> written;

        Failing(RunnableFuture<SnapshotResult<OperatorStateHandle>> written) {
            super(
                    () -> {
                        hooks.inCheckpoint();
                        written.run();
                        return written.get();
                    });
            this.written = written;
        }

        @Override
        public boolean cancel(boolean interrupt) {
            written.cancel(interrupt);
            return super.cancel(interrupt);
        }
    }
}
