package io.github.flinkps.flink.data;

import java.util.Map;
import java.util.function.Function;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.base.source.reader.RecordEmitter;
import org.apache.flink.connector.base.source.reader.SingleThreadMultiplexSourceReaderBase;
import org.apache.flink.metrics.Counter;

/**
 * Emits the batches that one fetcher thread reads and parses ahead, and keeps how far each split
 * has been emitted. Runs on the task's thread.
 */
final class BlockSourceReader
        extends SingleThreadMultiplexSourceReaderBase<
                PositionedBatch, RowBatch, BlockSplit, BlockSourceReader.Progress> {
    BlockSourceReader(Function<BlockSplit, BlockReader> opener, SourceReaderContext context) {
        super(
                () -> new BlockSplitReader(opener),
                new Emitter(context),
                context.getConfiguration(),
                context);
    }

    @Override
    public void start() {
        askIfIdle();
    }

    @Override
    protected void onSplitFinished(Map<String, Progress> finished) {
        askIfIdle();
    }

    private void askIfIdle() {
        if (getNumberOfCurrentlyAssignedSplits() == 0) {
            context.sendSplitRequest();
        }
    }

    @Override
    protected Progress initializedState(BlockSplit split) {
        return new Progress(split);
    }

    @Override
    protected BlockSplit toSplitType(String id, Progress progress) {
        return progress.split;
    }

    /** The position up to which a split has been emitted. */
    static final class Progress {
        private BlockSplit split;

        Progress(BlockSplit split) {
            this.split = split;
        }
    }

    private static final class Emitter
            implements RecordEmitter<PositionedBatch, RowBatch, Progress> {
        private final Counter rows;
        private final Counter skipped;
        private final Counter errors;

        Emitter(SourceReaderContext context) {
            rows = context.metricGroup().counter("rowsRead");
            skipped = context.metricGroup().counter("badRowsSkipped");
            errors = context.metricGroup().getNumRecordsInErrorsCounter();
        }

        @Override
        public void emitRecord(
                PositionedBatch next, SourceOutput<RowBatch> output, Progress progress) {
            RowBatch batch = next.batch();
            output.collect(batch);
            progress.split = progress.split.at(next.block(), next.offset(), next.row());
            rows.inc(batch.rows());
            skipped.inc(batch.skippedRows());
            errors.inc(batch.skippedRows());
        }
    }
}
