package io.github.flinkps.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SavedBlocksTest {
    private final SavedBlocks memory = new SavedBlocks();

    private List<SavedBlocks.Block> take(int count, int floats) {
        List<SavedBlocks.Block> blocks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            blocks.add(memory.take(floats));
        }
        return blocks;
    }

    private static Set<float[]> slabs(List<SavedBlocks.Block> blocks) {
        Set<float[]> slabs = Collections.newSetFromMap(new IdentityHashMap<>());
        blocks.forEach(block -> slabs.add(block.slab));
        return slabs;
    }

    @Test
    void blocksDoNotOverlap() {
        for (int floats : new int[] {1, 3, 4096, 1 << 18}) {
            List<SavedBlocks.Block> blocks = take(50, floats);
            for (int i = 0; i < blocks.size(); i++) {
                SavedBlocks.Block block = blocks.get(i);
                for (int at = 0; at < floats; at++) {
                    assertThat(block.slab[block.from + at]).isZero();
                    block.slab[block.from + at] = i + 1;
                }
            }
            blocks.forEach(block -> memory.give(floats, block));
        }
        assertThat(memory.taken()).isZero();
    }

    /** Blocks are taken again also when all have been given back, as between two cuts. */
    @Test
    void whatIsGivenBackIsTakenAgain() {
        List<SavedBlocks.Block> first = take(1000, 512);
        Set<float[]> slabs = slabs(first);
        first.forEach(block -> memory.give(512, block));
        List<SavedBlocks.Block> second = take(1000, 512);
        assertThat(slabs).containsAll(slabs(second));
        second.forEach(block -> memory.give(512, block));
        assertThat(memory.taken()).isZero();
    }

    @Test
    void poolsOfRowsAreKeptToo() {
        SavedRowPool pool = memory.openRows(16, false);
        assertThat(memory.openRows(16, true)).isNotSameAs(pool);
        assertThat(memory.openRows(17, false)).isNotSameAs(pool);
        for (int i = 0; i < 3; i++) {
            memory.closeRows();
        }
        assertThat(memory.taken()).isZero();
        assertThat(memory.openRows(16, false)).isSameAs(pool);
    }

    @Test
    void littleTakesLittle() {
        List<SavedBlocks.Block> blocks = take(10, 1024);
        long floats = slabs(blocks).stream().mapToLong(slab -> slab.length).sum();
        assertThat(floats).isBetween(10L * 1024, 20L * 1024);
    }
}
