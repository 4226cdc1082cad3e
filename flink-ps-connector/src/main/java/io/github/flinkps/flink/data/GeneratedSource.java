package io.github.flinkps.flink.data;

import java.util.ArrayList;
import java.util.List;

/** Emits {@link GeneratedRows}, in blocks like a file's. */
public final class GeneratedSource extends BlockSource {
    private static final long serialVersionUID = 1L;

    private final GeneratedRows rows;
    private final RowSelection selection;

    public GeneratedSource(GeneratedRows rows, RowSelection selection) {
        this.rows = rows;
        this.selection = selection;
    }

    @Override
    List<List<BlockSplit>> plan(int readers) {
        List<List<BlockSplit>> shares = new ArrayList<>();
        for (int reader = 0; reader < readers; reader++) {
            shares.add(
                    List.of(
                            new BlockSplit(
                                    "generated-" + reader,
                                    null,
                                    GeneratedRows.BLOCK_ROWS,
                                    readers,
                                    reader,
                                    -1,
                                    0)));
        }
        return shares;
    }

    @Override
    BlockReader open(BlockSplit split) {
        return new GeneratedBlockReader(rows, selection, split);
    }

    /** A batch per block. */
    private static final class GeneratedBlockReader implements BlockReader {
        private final GeneratedRows rows;
        private final RowSelection selection;
        private final BlockSplit split;
        private final RowBatchBuilder builder = new RowBatchBuilder();
        private long block;

        GeneratedBlockReader(GeneratedRows rows, RowSelection selection, BlockSplit split) {
            this.rows = rows;
            this.selection = selection;
            this.split = split;
            this.block = split.block();
        }

        @Override
        public PositionedBatch next() {
            builder.began(System.currentTimeMillis());
            while (block * split.blockSize() < rows.rows()) {
                long from = block * split.blockSize();
                long to = Math.min(rows.rows(), from + split.blockSize());
                for (long row = from; row < to; row++) {
                    if (selection.accepts(0, row)) {
                        rows.generate(row, builder);
                    }
                }
                builder.position(block, 0);
                block += split.step();
                if (builder.rows() > 0) {
                    return new PositionedBatch(builder.build(), block, -1, 0);
                }
            }
            return null;
        }

        @Override
        public void close() {}
    }
}
