package io.github.flinkps.flink.training.worker;

import io.github.flinkps.client.Residual;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchSerializer;
import io.github.flinkps.flink.training.StateNames;
import io.github.flinkps.flink.training.TrainingException;
import io.github.flinkps.flink.training.WorkerCounts;
import io.github.flinkps.flink.training.cut.CutRef;
import io.github.flinkps.flink.training.cut.CutRefSerializer;
import io.github.flinkps.flink.training.rows.CachedBatch;
import io.github.flinkps.flink.training.rows.CachedBatchSerializer;
import io.github.flinkps.flink.training.rows.SavedCache;
import io.github.flinkps.flink.training.rows.ScheduleState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;

/**
 * A worker's operator state. Rows not yet trained, updates not yet pushed and where the worker
 * stands are list state, dealt out anew when the number of workers changes. The reference to the
 * cut is broadcast state, of which every copy is the same. So each worker of a restored job gets
 * it, however many there are. With list state added workers would get none; with union state each
 * would get all.
 *
 * <p>Of several passes state refers to the rows, which are in files ({@link SavedCache}); of one
 * pass it holds those that wait. Belongs to the task's thread.
 */
final class WorkerStore {
    private static final int VERSION = 3;
    private static final String CUT = "cut";

    private final boolean restored;
    private final BroadcastState<String, CutRef> cut;
    private final ListState<byte[]> snapshot;
    private final ListState<RowBatch> waiting;
    private final ListState<CachedBatch> cached;
    private final ListState<Residual> residuals;

    /**
     * The state of a worker at a barrier.
     *
     * @param worker its index
     * @param workers their number
     * @param schedule the mini-batches to come
     * @param idle whether the others did not wait for it
     * @param reported whether it had emitted its report
     * @param counts so far
     * @param residuals updates that it retains
     */
    record Snapshot(
            int worker,
            int workers,
            ScheduleState schedule,
            boolean idle,
            boolean reported,
            WorkerCounts counts,
            List<Residual> residuals) {}

    WorkerStore(OperatorStateStore states, boolean restored) throws Exception {
        this.restored = restored;
        this.cut = states.getBroadcastState(CutRefSerializer.descriptor());
        this.snapshot =
                states.getListState(
                        new ListStateDescriptor<>(
                                StateNames.STANDING,
                                PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
        this.waiting =
                states.getListState(
                        new ListStateDescriptor<>(StateNames.WAITING, new RowBatchSerializer()));
        this.cached =
                states.getListState(
                        new ListStateDescriptor<>(StateNames.CACHED, new CachedBatchSerializer()));
        this.residuals =
                states.getListState(
                        new ListStateDescriptor<>(StateNames.RESIDUALS, new ResidualSerializer()));
    }

    /** Returns whether the job goes on from a checkpoint. */
    boolean isRestored() {
        return restored;
    }

    /** Replaces all. */
    void write(CutRef ref, Snapshot now) throws Exception {
        cut.clear();
        cut.put(CUT, ref);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(VERSION);
        out.writeInt(now.worker);
        out.writeInt(now.workers);
        out.writeInt(now.schedule.epoch());
        out.writeLong(now.schedule.number());
        out.writeLong(now.schedule.seen());
        out.writeBoolean(now.schedule.unfilled());
        out.writeBoolean(now.idle);
        out.writeBoolean(now.reported);
        now.counts.write(out);
        snapshot.update(List.of(bytes.toByteArray()));
        waiting.update(now.schedule.waiting());
        cached.update(now.schedule.cached());
        residuals.update(now.residuals);
    }

    /** Lets go of what has been written, or read; Flink keeps its own copy of the lists. */
    void forget() {
        waiting.clear();
        cached.clear();
        residuals.clear();
    }

    /** Returns the cut to go on from, or null. */
    CutRef restoredCut() throws Exception {
        CutRef ref = restored ? cut.get(CUT) : null;
        return ref == null ? null : ref.canonical();
    }

    /**
     * Returns what was restored, dealt to this worker: of several workers together, or of none.
     * These may have stood at different passes: this one begins with the first, in which it trains
     * what is still due.
     *
     * @param epochs passes of this job
     */
    Snapshot restored(int worker, int workers, int epochs) throws Exception {
        List<Snapshot> dealt = new ArrayList<>();
        for (byte[] each : snapshot.get()) {
            dealt.add(read(each, epochs));
        }
        List<RowBatch> rows = new ArrayList<>();
        waiting.get().forEach(rows::add);
        List<CachedBatch> again = new ArrayList<>();
        cached.get().forEach(again::add);
        List<Residual> retained = new ArrayList<>();
        residuals.get().forEach(retained::add);
        if (dealt.size() == 1 && dealt.get(0).worker == worker && dealt.get(0).workers == workers) {
            Snapshot own = dealt.get(0);
            ScheduleState at = own.schedule;
            ScheduleState schedule =
                    new ScheduleState(
                            at.epoch(), at.number(), at.seen(), rows, at.unfilled(), again);
            return new Snapshot(
                    worker, workers, schedule, own.idle, own.reported, own.counts, retained);
        }
        if (again.stream().anyMatch(CachedBatch::begun)) {
            throw new TrainingException(
                    "a job with shuffle=rows cannot go on with another number of workers in the"
                            + " middle of a pass, when each has trained rows of any mini-batch:"
                            + " start it with as many as it had, or from a checkpoint in its first"
                            + " pass");
        }
        WorkerCounts counts = WorkerCounts.none(epochs);
        for (Snapshot each : dealt) {
            counts = counts.plus(each.reported ? each.counts.told() : each.counts);
        }
        long seen = dealt.stream().mapToLong(each -> each.schedule.seen()).max().orElse(0);
        ScheduleState schedule = new ScheduleState(0, 0, seen, rows, false, again);
        return new Snapshot(worker, workers, schedule, false, false, counts, retained);
    }

    private static Snapshot read(byte[] bytes, int epochs) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        int version = in.readInt();
        if (version != VERSION) {
            throw new IOException(
                    "a worker's state of version " + version + " is of another release");
        }
        int worker = in.readInt();
        int workers = in.readInt();
        ScheduleState schedule =
                new ScheduleState(
                        in.readInt(),
                        in.readLong(),
                        in.readLong(),
                        List.of(),
                        in.readBoolean(),
                        List.of());
        boolean idle = in.readBoolean();
        boolean reported = in.readBoolean();
        WorkerCounts counts = WorkerCounts.read(in, epochs);
        return new Snapshot(worker, workers, schedule, idle, reported, counts, List.of());
    }
}
