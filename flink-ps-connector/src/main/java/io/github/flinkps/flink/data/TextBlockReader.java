package io.github.flinkps.flink.data;

import java.io.IOException;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the rows of every {@code step}-th block of a text file. A row belongs to the block that
 * holds its first byte, so that every row is read once whatever the blocks are; offsets are those
 * of the uncompressed text.
 */
final class TextBlockReader implements BlockReader {
    private static final Logger LOG = LoggerFactory.getLogger(TextBlockReader.class);

    /** Rows and entries after which a batch is handed on. */
    private static final int BATCH_ROWS = 2048;

    private static final byte LINE_FEED = '\n';
    private static final int BATCH_ENTRIES = 1 << 17;
    private static final int FIRST_BUFFER = 1 << 17;
    private static final int LONGEST_ROW = 1 << 28;

    /** Bytes read beyond a block, for the row that crosses its end. */
    private static final int SLACK = 4096;

    private final BlockSplit split;
    private final TextFile file;
    private final RowParser parser;
    private final RowSelection selection;
    private final OnBadRow onBadRow;
    private final RowBatchBuilder builder = new RowBatchBuilder();

    private TextStream stream;
    private byte[] buffer = new byte[FIRST_BUFFER];
    private int start;
    private int limit;
    private boolean atEnd;

    private long block;
    private int row;

    /**
     * True if the next byte is the first of a row; if none was read, of the first row of the block.
     */
    private boolean aligned;

    /** True while the line of column names, the first that is not blank, is still to come. */
    private boolean headerAhead;

    /** True if the first line that is not blank has the names of columns. */
    private final boolean named;

    private boolean toldOfSkipping;

    TextBlockReader(BlockSplit split, RowFormat format, RowSelection selection, OnBadRow onBadRow) {
        this.split = split;
        this.file = split.file();
        this.parser = format.newParser();
        this.headerAhead = format.header() && split.block() == 0 && split.offset() <= 0;
        this.named = format.header();
        this.selection = selection;
        this.onBadRow = onBadRow;
        this.block = split.block();
        this.row = split.row();
    }

    @Override
    public PositionedBatch next() throws InputException {
        builder.began(System.currentTimeMillis());
        if (stream == null) {
            if (file.packing() == Packing.PARQUET && !named) {
                throw new InputException(
                        file.displayName()
                                + " is a table of Parquet, which has names of columns: it is read"
                                + " with --format csv, without --columns");
            }
            stream = TextStream.open(file);
            if (split.offset() >= blockStart()) {
                skipTo(split.offset());
                aligned = true;
            }
        }
        while (true) {
            if (!aligned && !align()) {
                return builder.skippedRows() == 0 ? null : batch();
            }
            boolean blockEnds = readRows();
            if (!blockEnds) {
                return batch();
            }
            PositionedBatch last = builder.rows() > 0 ? batch() : null;
            block += split.step();
            row = 0;
            aligned = offset() >= blockStart();
            if (last != null) {
                return new PositionedBatch(last.batch(), block, offset(), 0);
            }
        }
    }

    private PositionedBatch batch() {
        int count = builder.rows();
        builder.position(((long) file.ordinal() << 40) | block, row);
        row += count;
        return new PositionedBatch(builder.build(), block, offset(), row);
    }

    private long blockStart() {
        return block * split.blockSize();
    }

    /** Returns the offset of the next byte in the file, uncompressed. */
    private long offset() {
        return stream.position() - (limit - start);
    }

    /** Goes to the first row that begins in the block or after it; false if there is none. */
    private boolean align() throws InputException {
        aligned = block == 0;
        if (aligned) {
            return true;
        }
        skipTo(blockStart() - 1);
        while (true) {
            int feed = Swar.indexOf(LINE_FEED, buffer, start, limit);
            if (feed < limit) {
                start = feed + 1;
                aligned = true;
                return true;
            }
            start = limit;
            if (!fill()) {
                return false;
            }
        }
    }

    /** Reads rows until the batch is full (false) or the block or file ends (true). */
    private boolean readRows() throws InputException {
        long blockEnd = blockStart() + split.blockSize();
        while (builder.rows() < BATCH_ROWS && builder.entries() < BATCH_ENTRIES) {
            long offset = offset();
            if (offset >= blockEnd) {
                return true;
            }
            int end = rowEnd();
            if (end < 0) {
                return true;
            }
            if (headerAhead) {
                headerAhead = Swar.isBlank(buffer, start, end);
            } else if (selection.accepts(file.ordinal(), offset)) {
                parse(offset, end);
            }
            start = Math.min(end + 1, limit);
        }
        return false;
    }

    private void parse(long offset, int end) throws InputException {
        int before = builder.rows();
        try {
            parser.parse(buffer, offset == 0 ? afterMark(end) : start, end, builder);
            if (selection.drawsValidation()) {
                builder.drawn(before, selection.validates(file.ordinal(), offset));
            }
        } catch (RowProblem e) {
            badRow(offset, e);
        } catch (IllegalStateException e) {
            badRow(offset, new RowProblem(start, "the row is too long: " + e.getMessage()));
        }
    }

    /**
     * Returns where the first row of a file begins, behind a byte order mark in UTF-8 if there is
     * one.
     */
    private int afterMark(int end) {
        boolean marked =
                end - start >= 3
                        && buffer[start] == (byte) 0xef
                        && buffer[start + 1] == (byte) 0xbb
                        && buffer[start + 2] == (byte) 0xbf;
        return marked ? start + 3 : start;
    }

    private void badRow(long offset, RowProblem problem) throws InputException {
        builder.abandonRow();
        if (onBadRow == OnBadRow.FAIL) {
            throw bad(offset, problem);
        }
        builder.addSkipped(1);
        if (!toldOfSkipping) {
            toldOfSkipping = true;
            LOG.warn("skipping bad rows; the first is {}", bad(offset, problem).getMessage());
        }
    }

    private BadRowException bad(long offset, RowProblem problem) throws InputException {
        long line = TextStream.lineAt(file, offset);
        return new BadRowException(
                file.displayName(), line, problem.at() - start + 1, problem.getMessage());
    }

    /**
     * Returns the end, without line feed, of the row that begins at {@code start}; -1 at the end of
     * the file.
     */
    private int rowEnd() throws InputException {
        int from = start;
        while (true) {
            int feed = Swar.indexOf(LINE_FEED, buffer, from, limit);
            if (feed < limit) {
                return feed;
            }
            int seen = limit - start;
            if (!fill()) {
                return limit == start ? -1 : limit;
            }
            from = start + seen;
        }
    }

    /** Reads more behind what is left; false at the end of the file. */
    private boolean fill() throws InputException {
        if (atEnd) {
            return false;
        }
        int left = limit - start;
        if (left == buffer.length) {
            if (left >= LONGEST_ROW) {
                throw new InputException(
                        file.displayName()
                                + ":"
                                + TextStream.lineAt(file, offset())
                                + ": the row is longer than "
                                + LONGEST_ROW
                                + " bytes");
            }
            buffer = Arrays.copyOf(buffer, 2 * left);
        }
        System.arraycopy(buffer, start, buffer, 0, left);
        start = 0;
        limit = left;
        long wanted = blockStart() + split.blockSize() - stream.position() + SLACK;
        int room = (int) Math.min(buffer.length - left, Math.max(SLACK, wanted));
        int count = stream.read(buffer, limit, room);
        atEnd = count < 0;
        limit += Math.max(0, count);
        return !atEnd;
    }

    private void skipTo(long target) throws InputException {
        long offset = offset();
        if (target <= stream.position()) {
            start += (int) (target - offset);
            return;
        }
        start = 0;
        limit = 0;
        stream.skipTo(target, buffer);
        atEnd = stream.position() < target;
    }

    @Override
    public void close() throws IOException {
        if (stream != null) {
            stream.close();
        }
    }
}
