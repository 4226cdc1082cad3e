package io.github.flinkps.server.store;

import java.lang.ref.SoftReference;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Memory for rows that are saved from being overwritten, in blocks cut from large arrays: what one
 * partition gives back the next one takes, and between cuts all is kept for the next, unless the
 * heap runs short of memory. So a cut leaves next to no garbage, whose collection would hold up
 * training. Shared by the partitions of a thread, to which it is confined.
 */
public final class SavedBlocks {
    /** Floats of an array: too many for a collector to move it time and again. */
    private static final int SLAB_FLOATS = 1 << 17;

    private SoftReference<Map<Integer, Deque<Block>>> kept = new SoftReference<>(null);

    /** Null while no block is taken. */
    private Map<Integer, Deque<Block>> free;

    private int taken;

    /** Floats {@code [from, from + length)} of an array that has others beside them. */
    static final class Block {
        final float[] slab;
        final int from;

        private Block(float[] slab, int from) {
            this.slab = slab;
            this.from = from;
        }
    }

    /** A block, with whatever it had before. */
    Block take(int floats) {
        if (free == null) {
            free = kept.get();
        }
        if (free == null) {
            free = new HashMap<>();
            kept = new SoftReference<>(free);
        }
        Deque<Block> alike = free.computeIfAbsent(floats, length -> new ArrayDeque<>());
        if (alike.isEmpty()) {
            make(floats, alike);
        }
        taken++;
        return alike.pop();
    }

    /** As many as fit a slab, but no more than are taken, so that little takes little. */
    private void make(int floats, Deque<Block> alike) {
        int blocks = Math.max(1, Math.min(SLAB_FLOATS / floats, taken));
        float[] slab = new float[blocks * floats];
        for (int i = 0; i < blocks; i++) {
            alike.push(new Block(slab, i * floats));
        }
    }

    /** Gives back a block that was taken with this length. */
    void give(int floats, Block block) {
        free.get(floats).push(block);
        if (--taken == 0) {
            free = null;
        }
    }

    /** Blocks taken and not given back. */
    int taken() {
        return taken;
    }
}
