package io.github.flinkps.flink.data;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;
import org.apache.flink.connector.base.source.reader.RecordsBySplits;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitReader;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsChange;

/** Reads splits one after the other, a batch at a time. Runs on the fetcher's thread. */
final class BlockSplitReader implements SplitReader<PositionedBatch, BlockSplit> {
    private final Function<BlockSplit, BlockReader> opener;
    private final Deque<BlockSplit> waiting = new ArrayDeque<>();
    private BlockSplit current;
    private BlockReader reader;

    BlockSplitReader(Function<BlockSplit, BlockReader> opener) {
        this.opener = opener;
    }

    @Override
    public RecordsWithSplitIds<PositionedBatch> fetch() throws IOException {
        RecordsBySplits.Builder<PositionedBatch> records = new RecordsBySplits.Builder<>();
        if (reader == null) {
            current = waiting.poll();
            if (current == null) {
                return records.build();
            }
            reader = opener.apply(current);
        }
        PositionedBatch batch = reader.next();
        if (batch != null) {
            records.add(current.splitId(), batch);
        } else {
            reader.close();
            reader = null;
            records.addFinishedSplit(current.splitId());
        }
        return records.build();
    }

    @Override
    public void handleSplitsChanges(SplitsChange<BlockSplit> change) {
        if (!(change instanceof SplitsAddition)) {
            throw new UnsupportedOperationException("splits can only be added, not " + change);
        }
        waiting.addAll(change.splits());
    }

    /** Does nothing: a fetch waits for nothing but the file system. */
    @Override
    public void wakeUp() {}

    @Override
    public void close() throws IOException {
        if (reader != null) {
            reader.close();
        }
    }
}
