package io.github.flinkps.flink.data;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads training rows from text files, plain or gzip (told by their first bytes), one row per line,
 * through Flink's file systems.
 *
 * <p>The text of each file, uncompressed, is cut into blocks of a fixed size; a row belongs to the
 * block where its first byte lies. A plain file is read in place. A gzip file cannot be entered in
 * its middle: every reader decompresses all of it but parses only the blocks of its share. That
 * takes more work in all, but no longer than one reader that decompresses for all. It keeps the
 * forward edge and the order of rows. For the least work, give as many gzip files as there are
 * workers, or plain ones.
 *
 * <p>The input is listed when the job starts. Checkpoints hold the position of each share; after a
 * change of parallelism the shares stay as they are and are read by fewer or by some of the
 * readers.
 */
public final class TextSource extends BlockSource {
    private static final long serialVersionUID = 1L;

    private final ArrayList<String> paths;
    private final RowFormat format;
    private final RowSelection selection;
    private final OnBadRow onBadRow;
    private final int blockSize;

    private TextSource(Builder builder) {
        this.paths = new ArrayList<>(builder.paths.stream().map(TextInput::absolute).toList());
        this.format = builder.format;
        this.selection = builder.selection;
        this.onBadRow = builder.onBadRow;
        this.blockSize = builder.blockSize;
    }

    /**
     * Returns a source of files and folders; see {@link TextInput#list}.
     *
     * @param paths at least one
     */
    public static Builder of(List<String> paths, RowFormat format) {
        return new Builder(paths, format);
    }

    @Override
    List<List<BlockSplit>> plan(int readers) throws InputException {
        List<TextFile> files = TextInput.list(paths);
        int size = blockSize == 0 ? TextInput.blockSize(files) : blockSize;
        List<List<BlockSplit>> shares = new ArrayList<>();
        for (int i = 0; i < readers; i++) {
            shares.add(new ArrayList<>());
        }
        long firstBlock = 0;
        for (TextFile file : files) {
            long stored = (file.length() + size - 1) / size;
            for (int reader = 0; reader < readers; reader++) {
                long first = Math.floorMod(reader - firstBlock, (long) readers);
                if (first < stored || file.packed()) {
                    String id = file.ordinal() + "-" + reader;
                    shares.get(reader).add(new BlockSplit(id, file, size, readers, first, -1, 0));
                }
            }
            firstBlock += stored;
        }
        return shares;
    }

    @Override
    BlockReader open(BlockSplit split) {
        return new TextBlockReader(split, format, selection, onBadRow);
    }

    /** Sets up a {@link TextSource}. */
    public static final class Builder {
        private final List<String> paths;
        private final RowFormat format;
        private RowSelection selection = RowSelection.all();
        private OnBadRow onBadRow = OnBadRow.FAIL;
        private int blockSize;

        private Builder(List<String> paths, RowFormat format) {
            if (paths.isEmpty()) {
                throw new IllegalArgumentException("input needs at least one path");
            }
            this.paths = List.copyOf(paths);
            this.format = format;
        }

        /** Reads only some of the rows. */
        public Builder select(RowSelection rows) {
            this.selection = rows;
            return this;
        }

        /** Sets what to do with bad rows; they fail the job unless set. */
        public Builder onBadRow(OnBadRow reaction) {
            this.onBadRow = reaction;
            return this;
        }

        /** Sets the size of a block, in bytes, instead of {@link TextInput#blockSize}. */
        public Builder blockSize(int bytes) {
            if (bytes < 1) {
                throw new IllegalArgumentException("block size must be at least 1, not " + bytes);
            }
            this.blockSize = bytes;
            return this;
        }

        public TextSource build() {
            return new TextSource(this);
        }
    }
}
