package io.github.flinkps.flink.training;

import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchSerializer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;

/**
 * A worker's operator state. Rows not yet trained and where the worker stands are list state, dealt
 * out anew when the number of workers changes. The reference to the cut is broadcast state, whose
 * every copy is the same: so each worker of a restored job gets it, however many there are (of list
 * state, those added would get none; of union state each would get all).
 *
 * <p>Of several passes each checkpoint holds the rows of all of them, kept on the heap while it is
 * written and again when it is read back; of one pass only the rows that wait. Belongs to the
 * task's thread.
 */
final class WorkerStore {
    private static final int VERSION = 1;
    private static final String CUT = "cut";

    private final boolean restored;
    private final BroadcastState<String, CutRef> cut;
    private final ListState<byte[]> standing;
    private final ListState<RowBatch> waiting;
    private final ListState<RowBatch> cached;

    /**
     * Where a worker stood at a barrier.
     *
     * @param worker its index
     * @param workers their number
     * @param schedule the mini-batches to come
     * @param idle whether the others did not wait for it
     * @param reported whether it had emitted its report
     * @param counts so far
     */
    record Standing(
            int worker,
            int workers,
            ScheduleState schedule,
            boolean idle,
            boolean reported,
            WorkerCounts counts) {}

    WorkerStore(OperatorStateStore states, boolean restored) throws Exception {
        this.restored = restored;
        this.cut = states.getBroadcastState(cutDescriptor());
        this.standing =
                states.getListState(
                        new ListStateDescriptor<>(
                                "flink-ps-worker",
                                PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
        this.waiting =
                states.getListState(
                        new ListStateDescriptor<>("flink-ps-rows", new RowBatchSerializer()));
        this.cached =
                states.getListState(
                        new ListStateDescriptor<>(
                                "flink-ps-cached-rows", new RowBatchSerializer()));
    }

    /** The state with the reference to the cut. */
    static MapStateDescriptor<String, CutRef> cutDescriptor() {
        return new MapStateDescriptor<>(
                "flink-ps-cut",
                Types.STRING.createSerializer((SerializerConfig) null),
                new CutRefSerializer());
    }

    /** Whether the job goes on from a checkpoint. */
    boolean isRestored() {
        return restored;
    }

    /** Replaces all. */
    void write(CutRef ref, Standing now) throws Exception {
        cut.clear();
        cut.put(CUT, ref);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(VERSION);
        out.writeInt(now.worker);
        out.writeInt(now.workers);
        out.writeInt(now.schedule.epoch());
        out.writeLong(now.schedule.number());
        out.writeBoolean(now.schedule.unfilled());
        out.writeBoolean(now.idle);
        out.writeBoolean(now.reported);
        now.counts.write(out);
        standing.update(List.of(bytes.toByteArray()));
        waiting.update(now.schedule.waiting());
        cached.update(now.schedule.cached());
    }

    /** Lets go of rows that have been written, or read; Flink keeps its own copy of the lists. */
    void forgetRows() {
        waiting.clear();
        cached.clear();
    }

    /** The cut to go on from, or null. */
    CutRef restoredCut() throws Exception {
        return restored ? cut.get(CUT) : null;
    }

    /**
     * What was restored, dealt to this worker: of several workers together, or of none.
     *
     * @param epochs passes of this job
     */
    Standing restored(int worker, int workers, int epochs) throws Exception {
        List<Standing> dealt = new ArrayList<>();
        for (byte[] each : standing.get()) {
            dealt.add(read(each, epochs));
        }
        List<RowBatch> rows = list(waiting);
        List<RowBatch> again = list(cached);
        if (dealt.size() == 1 && dealt.get(0).worker == worker && dealt.get(0).workers == workers) {
            Standing own = dealt.get(0);
            ScheduleState at = own.schedule;
            ScheduleState schedule =
                    new ScheduleState(at.epoch(), at.number(), rows, at.unfilled(), again);
            return new Standing(worker, workers, schedule, own.idle, own.reported, own.counts);
        }
        if (epochs > 1) {
            throw new TrainingException(
                    "a job of several epochs cannot go on with another number of workers than "
                            + (dealt.isEmpty() ? "it had" : dealt.get(0).workers)
                            + ": start it with as many");
        }
        WorkerCounts counts = WorkerCounts.none(epochs);
        for (Standing each : dealt) {
            counts = counts.plus(each.counts);
        }
        boolean reported = !dealt.isEmpty() && dealt.stream().allMatch(Standing::reported);
        ScheduleState schedule = new ScheduleState(0, 0, rows, false, List.of());
        return new Standing(worker, workers, schedule, false, reported, counts);
    }

    private static List<RowBatch> list(ListState<RowBatch> state) throws Exception {
        List<RowBatch> all = new ArrayList<>();
        state.get().forEach(all::add);
        return all;
    }

    private static Standing read(byte[] bytes, int epochs) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        int version = in.readInt();
        if (version != VERSION) {
            throw new IOException(
                    "a worker's state of version " + version + " is from a newer release");
        }
        int worker = in.readInt();
        int workers = in.readInt();
        ScheduleState schedule =
                new ScheduleState(
                        in.readInt(), in.readLong(), List.of(), in.readBoolean(), List.of());
        boolean idle = in.readBoolean();
        boolean reported = in.readBoolean();
        WorkerCounts counts = WorkerCounts.read(in, epochs);
        return new Standing(worker, workers, schedule, idle, reported, counts);
    }
}
