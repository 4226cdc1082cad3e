package io.github.flinkps.flink.data;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.metrics.groups.SplitEnumeratorMetricGroup;

/** Runs what an enumerator calls when told to, and keeps what it assigned. */
final class TestingEnumeratorContext implements SplitEnumeratorContext<BlockSplit> {
    final Map<Integer, List<String>> assigned = new HashMap<>();
    final TreeSet<Integer> finished = new TreeSet<>();
    private final Map<Integer, ReaderInfo> readers = new HashMap<>();
    private final List<Runnable> calls = new ArrayList<>();
    private final int parallelism;

    TestingEnumeratorContext(int parallelism) {
        this.parallelism = parallelism;
    }

    void register(int reader) {
        readers.put(reader, new ReaderInfo(reader, "here"));
    }

    void runCalls() {
        List<Runnable> due = List.copyOf(calls);
        calls.clear();
        due.forEach(Runnable::run);
    }

    @Override
    public SplitEnumeratorMetricGroup metricGroup() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void sendEventToSourceReader(int subtask, SourceEvent event) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int currentParallelism() {
        return parallelism;
    }

    @Override
    public Map<Integer, ReaderInfo> registeredReaders() {
        return readers;
    }

    @Override
    public void assignSplits(SplitsAssignment<BlockSplit> assignment) {
        assignment
                .assignment()
                .forEach(
                        (reader, splits) ->
                                splits.forEach(
                                        split ->
                                                assigned.computeIfAbsent(
                                                                reader, r -> new ArrayList<>())
                                                        .add(split.splitId())));
    }

    @Override
    public void signalNoMoreSplits(int subtask) {
        finished.add(subtask);
    }

    @Override
    public <T> void callAsync(Callable<T> callable, BiConsumer<T, Throwable> handler) {
        calls.add(
                () -> {
                    T result = null;
                    Throwable failure = null;
                    try {
                        result = callable.call();
                    } catch (Exception e) {
                        failure = e;
                    }
                    handler.accept(result, failure);
                });
    }

    @Override
    public <T> void callAsync(
            Callable<T> callable, BiConsumer<T, Throwable> handler, long delay, long period) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void runInCoordinatorThread(Runnable runnable) {
        runnable.run();
    }
}
