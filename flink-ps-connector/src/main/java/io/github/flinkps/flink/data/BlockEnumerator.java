package io.github.flinkps.flink.data;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;

/**
 * Hands every reader its shares when it asks for them, and tells it that there are no more when it
 * asks again. A reader that has splits is sent nothing: it may fail with a row at any time, and an
 * event that then comes too late would be the job's failure instead. Runs on the coordinator's
 * thread, but for the listing of the input, which runs on its worker thread.
 */
final class BlockEnumerator implements SplitEnumerator<BlockSplit, BlockPlan> {
    /** Makes the shares of a number of readers. */
    interface Planner {
        List<List<BlockSplit>> plan(int readers) throws InputException;
    }

    private final SplitEnumeratorContext<BlockSplit> context;
    private final Planner planner;
    private final Map<Integer, List<BlockSplit>> pending = new TreeMap<>();
    private final Set<Integer> asking = new TreeSet<>();
    private boolean planned;

    /**
     * @param restored the state to go on from, or null
     */
    BlockEnumerator(
            SplitEnumeratorContext<BlockSplit> context, Planner planner, BlockPlan restored) {
        this.context = context;
        this.planner = planner;
        if (restored != null && restored.planned()) {
            planned(restored.pending());
        }
    }

    /** Takes the shares over; those of readers that are no more go to the others. */
    private void planned(List<List<BlockSplit>> shares) {
        planned = true;
        for (int i = 0; i < shares.size(); i++) {
            add(shares.get(i), i % context.currentParallelism());
        }
    }

    private void add(List<BlockSplit> splits, int reader) {
        if (!splits.isEmpty()) {
            pending.computeIfAbsent(reader, r -> new ArrayList<>()).addAll(splits);
        }
    }

    @Override
    public void start() {
        if (!planned) {
            int readers = context.currentParallelism();
            context.callAsync(() -> planner.plan(readers), this::listed);
        }
    }

    private void listed(List<List<BlockSplit>> shares, Throwable failure) {
        if (failure != null) {
            throw new IllegalStateException(failure.getMessage(), failure);
        }
        planned(shares);
        asking.retainAll(context.registeredReaders().keySet());
        asking.forEach(this::assign);
        asking.clear();
    }

    /** Forgets what a reader asked for before its restart: it will ask again. */
    @Override
    public void addReader(int subtask) {
        asking.remove(subtask);
    }

    @Override
    public void handleSplitRequest(int subtask, String host) {
        if (planned) {
            assign(subtask);
        } else {
            asking.add(subtask);
        }
    }

    private void assign(int reader) {
        List<BlockSplit> splits = pending.remove(reader);
        if (splits == null) {
            context.signalNoMoreSplits(reader);
        } else {
            context.assignSplits(new SplitsAssignment<>(Map.of(reader, splits)));
        }
    }

    @Override
    public void addSplitsBack(List<BlockSplit> splits, int subtask) {
        add(splits, subtask);
    }

    @Override
    public BlockPlan snapshotState(long checkpoint) {
        List<List<BlockSplit>> shares = new ArrayList<>();
        for (int i = 0; i < context.currentParallelism(); i++) {
            shares.add(List.copyOf(pending.getOrDefault(i, List.of())));
        }
        return new BlockPlan(planned, shares);
    }

    @Override
    public void close() {}
}
