package io.github.flinkps.flink.data;

import org.apache.flink.api.connector.source.SourceSplit;

/**
 * A reader's share of a file: every {@code step}-th block from {@code block} on, and how far they
 * have been read.
 *
 * @param splitId unique in its job
 * @param file the file
 * @param blockSize bytes of a block; rows, where they all have the same size
 * @param step blocks from one of the share to its next
 * @param block the block to read
 * @param offset where the next row begins if it is known, at least so far; -1 before the first
 * @param row rows of the block already read
 */
public record BlockSplit(
        String splitId, TextFile file, int blockSize, int step, long block, long offset, int row)
        implements SourceSplit {
    /** Returns the same share, read up to another position. */
    BlockSplit at(long newBlock, long newOffset, int newRow) {
        return new BlockSplit(splitId, file, blockSize, step, newBlock, newOffset, newRow);
    }
}
