package io.github.flinkps.flink.testing;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * An unbounded source whose readers, in this process, emit what a test gives to each of them. Any
 * thread.
 *
 * @param <T> what is emitted
 */
public final class TestingFeed<T> implements Source<T, TestingFeed.None, Integer> {
    private static final long serialVersionUID = 1L;
    private static final long POLL_MILLIS = 5;
    private static final Map<String, Queue<Object>> QUEUES = new ConcurrentHashMap<>();
    private static final Map<String, Boolean> ENDED = new ConcurrentHashMap<>();

    private final String name;

    /** A feed of a name that no other has. */
    public TestingFeed(String name) {
        this.name = name;
    }

    /** The type of splits, which no reader needs. */
    public interface None extends SourceSplit {}

    private Queue<Object> queue(int reader) {
        return QUEUES.computeIfAbsent(name + "/" + reader, key -> new ConcurrentLinkedQueue<>());
    }

    /** Gives something to a reader. */
    public void give(int reader, T next) {
        queue(reader).add(next);
    }

    /** Ends every reader when it has emitted what it was given. */
    public void end() {
        ENDED.put(name, true);
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.CONTINUOUS_UNBOUNDED;
    }

    @Override
    public SourceReader<T, None> createReader(SourceReaderContext context) {
        return new Reader(queue(context.getIndexOfSubtask()));
    }

    private final class Reader implements SourceReader<T, None> {
        private final Queue<Object> given;

        Reader(Queue<Object> given) {
            this.given = given;
        }

        @Override
        public void start() {}

        @Override
        @SuppressWarnings("unchecked") // this is what give() was given
        public InputStatus pollNext(ReaderOutput<T> output) {
            boolean ended = ENDED.containsKey(name);
            Object next = given.poll();
            if (next != null) {
                output.collect((T) next);
                return InputStatus.MORE_AVAILABLE;
            }
            return ended ? InputStatus.END_OF_INPUT : InputStatus.NOTHING_AVAILABLE;
        }

        @Override
        public CompletableFuture<Void> isAvailable() {
            return CompletableFuture.runAsync(
                    () -> {},
                    CompletableFuture.delayedExecutor(POLL_MILLIS, TimeUnit.MILLISECONDS));
        }

        @Override
        public List<None> snapshotState(long checkpointId) {
            return List.of();
        }

        @Override
        public void addSplits(List<None> splits) {}

        @Override
        public void notifyNoMoreSplits() {}

        @Override
        public void close() {}
    }

    @Override
    public SplitEnumerator<None, Integer> createEnumerator(SplitEnumeratorContext<None> context) {
        return new Enumerator();
    }

    @Override
    public SplitEnumerator<None, Integer> restoreEnumerator(
            SplitEnumeratorContext<None> context, Integer state) {
        return new Enumerator();
    }

    private static final class Enumerator implements SplitEnumerator<None, Integer> {
        @Override
        public void start() {}

        @Override
        public void handleSplitRequest(int subtask, String host) {}

        @Override
        public void addSplitsBack(List<None> splits, int subtask) {}

        @Override
        public void addReader(int subtask) {}

        @Override
        public Integer snapshotState(long checkpointId) {
            return 0;
        }

        @Override
        public void close() {}
    }

    /** Serializes states that are never restored. */
    private static final class Unused<T> implements SimpleVersionedSerializer<T> {
        @Override
        public int getVersion() {
            return 1;
        }

        @Override
        public byte[] serialize(T state) {
            return new byte[0];
        }

        @Override
        public T deserialize(int version, byte[] bytes) {
            throw new UnsupportedOperationException("a test's feed is not restored");
        }
    }

    @Override
    public SimpleVersionedSerializer<None> getSplitSerializer() {
        return new Unused<>();
    }

    @Override
    public SimpleVersionedSerializer<Integer> getEnumeratorCheckpointSerializer() {
        return new Unused<>();
    }
}
