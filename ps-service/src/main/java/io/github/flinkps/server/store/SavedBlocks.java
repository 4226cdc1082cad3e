package io.github.flinkps.server.store;

import io.netty.util.collection.IntObjectHashMap;
import java.lang.ref.SoftReference;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Memory for rows that are saved from being overwritten: blocks cut from large arrays, and pools of
 * single rows. What one partition gives back the next one takes, and between cuts all is kept for
 * the next, unless the heap runs short of memory. So a cut leaves next to no garbage, whose
 * collection would hold up training. Shared by the partitions of a thread, to which it is confined.
 */
public final class SavedBlocks {
    /** Floats of an array: too many for a collector to move it time and again. */
    private static final int SLAB_FLOATS = 1 << 17;

    private final IntFunction<float[]> newFloats;
    private SoftReference<Kept> kept = new SoftReference<>(null);

    /** The memory in use; null while nothing is taken. */
    private Kept inUse;

    private int taken;
    private long savedBytes;

    private static final class Kept {
        /** Free blocks by their length. */
        final IntObjectHashMap<Deque<Block>> blocks = new IntObjectHashMap<>();

        final Map<Shape, SavedRowPool> rows = new HashMap<>();
    }

    private record Shape(int stride, boolean withSteps) {}

    public SavedBlocks() {
        this(float[]::new);
    }

    /**
     * @param newFloats makes an array of a length
     */
    SavedBlocks(IntFunction<float[]> newFloats) {
        this.newFloats = newFloats;
    }

    /** Floats {@code [from, from + length)} of an array that has others beside them. */
    static final class Block {
        final float[] slab;
        final int from;

        private Block(float[] slab, int from) {
            this.slab = slab;
            this.from = from;
        }
    }

    private Kept inUse() {
        if (inUse == null) {
            inUse = kept.get();
        }
        if (inUse == null) {
            inUse = new Kept();
            kept = new SoftReference<>(inUse);
        }
        return inUse;
    }

    private void give() {
        if (--taken == 0) {
            inUse = null;
        }
    }

    /** Returns a block, with whatever it had before. */
    Block take(int floats) {
        IntObjectHashMap<Deque<Block>> blocks = inUse().blocks;
        Deque<Block> alike = blocks.get(floats);
        if (alike == null) {
            alike = new ArrayDeque<>();
            blocks.put(floats, alike);
        }
        if (alike.isEmpty()) {
            make(floats, alike);
        }
        taken++;
        return alike.pop();
    }

    /**
     * Makes as many blocks as fit a slab, but no more than are taken, so that small tables take
     * little memory.
     */
    private void make(int floats, Deque<Block> alike) {
        int blocks = Math.max(1, Math.min(SLAB_FLOATS / floats, taken));
        float[] slab = newFloats.apply(blocks * floats);
        for (int i = 0; i < blocks; i++) {
            alike.push(new Block(slab, i * floats));
        }
    }

    /** Gives back a block that was taken with this length. */
    void give(int floats, Block block) {
        inUse.blocks.get(floats).push(block);
        give();
    }

    /** Returns the pool of rows of a shape, until {@link #closeRows} is called as often as this. */
    SavedRowPool openRows(int stride, boolean withSteps) {
        SavedRowPool pool =
                inUse().rows
                        .computeIfAbsent(
                                new Shape(stride, withSteps),
                                shape -> new SavedRowPool(stride, withSteps, newFloats));
        taken++;
        return pool;
    }

    /**
     * Gives back the blocks of a pool. Call it when all rows that were saved through it are given
     * back.
     */
    void closeRows() {
        give();
    }

    /** Counts memory of rows that are saved, or negative where they are handed out. */
    void count(long bytes) {
        savedBytes += bytes;
    }

    /** Returns the memory of the rows that all partitions have saved and not handed out yet. */
    public long savedBytes() {
        return savedBytes;
    }

    /** Returns the number of blocks and pools taken and not given back. */
    int taken() {
        return taken;
    }
}
