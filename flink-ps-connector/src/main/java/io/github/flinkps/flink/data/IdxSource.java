package io.github.flinkps.flink.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads rows of IDX files ({@link IdxFile}), 256 at a time dealt out to the readers in turn. A
 * value other than 0 is an entry under its position in the row, from 0; unsigned bytes are divided
 * by 255. A gzip file is read through by every reader, as text is ({@link TextSource}).
 */
final class IdxSource extends BlockSource {
    private static final long serialVersionUID = 1L;
    private static final int BLOCK_ROWS = 256;

    private final ArrayList<String> paths;
    private final int features;
    private final RowSelection selection;
    private final Labels labels;

    IdxSource(List<String> paths, int features, RowSelection selection, Labels labels) {
        this.paths = new ArrayList<>(paths.stream().map(TextInput::absolute).toList());
        this.features = features;
        this.selection = selection;
        this.labels = labels;
    }

    @Override
    List<List<BlockSplit>> plan(int readers) throws InputException {
        List<List<BlockSplit>> shares = new ArrayList<>();
        for (int i = 0; i < readers; i++) {
            shares.add(new ArrayList<>());
        }
        long firstBlock = 0;
        for (IdxFile.Pair pair : IdxFile.pairs(paths, false)) {
            IdxFile rows = pair.rows();
            if (rows.itemValues() != features) {
                throw new InputException(
                        rows.file().displayName()
                                + ": rows of "
                                + rows.itemValues()
                                + " values; the model was made for "
                                + features);
            }
            long blocks = (rows.items() + BLOCK_ROWS - 1L) / BLOCK_ROWS;
            for (int reader = 0; reader < readers; reader++) {
                long first = Math.floorMod(reader - firstBlock, (long) readers);
                if (first < blocks) {
                    String id = rows.file().ordinal() + "-" + reader;
                    shares.get(reader)
                            .add(
                                    new BlockSplit(
                                            id, rows.file(), BLOCK_ROWS, readers, first, -1, 0));
                }
            }
            firstBlock += blocks;
        }
        return shares;
    }

    @Override
    BlockReader open(BlockSplit split) {
        return new Reader(split);
    }

    /** A batch per block. */
    private final class Reader implements BlockReader {
        private final BlockSplit split;
        private final RowBatchBuilder builder = new RowBatchBuilder();
        private IdxFile rows;
        private TextStream stream;
        private ByteBuffer item;
        private float[] rowLabels;
        private long block;

        Reader(BlockSplit split) {
            this.split = split;
            this.block = split.block();
        }

        @Override
        public PositionedBatch next() throws InputException {
            builder.began(System.currentTimeMillis());
            if (stream == null) {
                begin();
            }
            while (block * BLOCK_ROWS < rows.items()) {
                long from = block * BLOCK_ROWS;
                long to = Math.min(rows.items(), from + BLOCK_ROWS);
                stream.skipTo(rows.dataAt() + from * rows.itemBytes(), item.array());
                for (long row = from; row < to; row++) {
                    fill(stream, item.array(), rows.file());
                    if (selection.accepts(split.file().ordinal(), row)) {
                        add(row);
                        if (selection.drawsValidation()) {
                            builder.drawn(
                                    builder.rows() - 1,
                                    selection.validates(split.file().ordinal(), row));
                        }
                    }
                }
                builder.position(((long) split.file().ordinal() << 40) | block, 0);
                block += split.step();
                if (builder.rows() > 0) {
                    return new PositionedBatch(builder.build(), block, -1, 0);
                }
            }
            return null;
        }

        private void add(long row) throws InputException {
            boolean shades = rows.type() == IdxFile.Type.UNSIGNED_BYTE;
            for (int i = 0; i < rows.itemValues(); i++) {
                float value = rows.type().read(item, i * rows.type().bytes());
                if (!Float.isFinite(value)) {
                    throw new InputException(
                            rows.file().displayName()
                                    + ": value "
                                    + i
                                    + " of row "
                                    + row
                                    + " is not a finite number");
                }
                if (value != 0) {
                    builder.add(i, shades ? value / 255 : value);
                }
            }
            builder.endRow(rowLabels == null ? Float.NaN : rowLabels[(int) row]);
        }

        private void begin() throws InputException {
            for (IdxFile.Pair pair : IdxFile.pairs(paths, false)) {
                if (pair.rows().file().ordinal() == split.file().ordinal()) {
                    rows = pair.rows();
                    rowLabels = pair.labels() == null ? null : labels(pair.labels());
                }
            }
            if (rows == null) {
                throw new InputException(split.file().displayName() + " is no longer there");
            }
            item = ByteBuffer.allocate(rows.itemBytes());
            stream = TextStream.open(rows.file());
        }

        private float[] labels(IdxFile file) throws InputException {
            float[] mapped = new float[file.items()];
            ByteBuffer value = ByteBuffer.allocate(file.type().bytes());
            LabelNames names = labels.names().isEmpty() ? null : new LabelNames(labels.names());
            try (TextStream in = TextStream.open(file.file())) {
                in.skipTo(file.dataAt(), new byte[file.dataAt()]);
                for (int i = 0; i < mapped.length; i++) {
                    fill(in, value.array(), file.file());
                    float label = file.type().read(value, 0);
                    mapped[i] = names == null ? labels.map(label) : names.find(label);
                    if (Float.isNaN(mapped[i]) || mapped[i] == LabelNames.NONE) {
                        throw new InputException(
                                file.file().displayName()
                                        + ": label "
                                        + label
                                        + " of row "
                                        + i
                                        + " "
                                        + LabelNames.refusal(labels));
                    }
                }
            } catch (InputException e) {
                throw e;
            } catch (IOException e) {
                throw new InputException(
                        file.file().displayName() + " cannot be read: " + e.getMessage(), e);
            }
            return mapped;
        }

        private static void fill(TextStream in, byte[] into, TextFile file) throws InputException {
            int count = 0;
            while (count < into.length) {
                int more = in.read(into, count, into.length - count);
                if (more < 0) {
                    throw new InputException(
                            file.displayName() + ": it is truncated in the middle of a row");
                }
                count += more;
            }
        }

        @Override
        public void close() throws IOException {
            if (stream != null) {
                stream.close();
            }
        }
    }
}
