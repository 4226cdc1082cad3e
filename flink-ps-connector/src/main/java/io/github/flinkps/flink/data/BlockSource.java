package io.github.flinkps.flink.data;

import java.io.Serializable;
import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * A bounded source whose input is cut into blocks that do not depend on the parallelism. Block
 * {@code i} of the input goes to reader {@code i} modulo the parallelism. Every reader emits its
 * blocks in the order of the input. So with a forward edge after the source each worker sees the
 * same rows in the same order in every run.
 */
abstract class BlockSource
        implements Source<RowBatch, BlockSplit, BlockPlan>,
                ResultTypeQueryable<RowBatch>,
                Serializable {
    private static final long serialVersionUID = 1L;

    /**
     * Returns the shares of all readers, each in the order of the input; may read the file system.
     *
     * @return a list for each of {@code readers} readers
     * @throws InputException if the input is missing
     */
    abstract List<List<BlockSplit>> plan(int readers) throws InputException;

    /** Returns a reader of one share. */
    abstract BlockReader open(BlockSplit split);

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.BOUNDED;
    }

    @Override
    public SplitEnumerator<BlockSplit, BlockPlan> createEnumerator(
            SplitEnumeratorContext<BlockSplit> context) {
        return new BlockEnumerator(context, this::plan, null);
    }

    @Override
    public SplitEnumerator<BlockSplit, BlockPlan> restoreEnumerator(
            SplitEnumeratorContext<BlockSplit> context, BlockPlan plan) {
        return new BlockEnumerator(context, this::plan, plan);
    }

    @Override
    public SourceReader<RowBatch, BlockSplit> createReader(SourceReaderContext context) {
        return new BlockSourceReader(this::open, context);
    }

    @Override
    public SimpleVersionedSerializer<BlockSplit> getSplitSerializer() {
        return new BlockSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<BlockPlan> getEnumeratorCheckpointSerializer() {
        return new BlockPlanSerializer();
    }

    @Override
    public TypeInformation<RowBatch> getProducedType() {
        return RowBatchTypeInfo.INSTANCE;
    }
}
