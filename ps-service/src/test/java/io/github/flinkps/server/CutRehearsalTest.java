package io.github.flinkps.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;

class CutRehearsalTest {
    @Test
    void allItsCutsAreWritten(BufferAllocator allocator) {
        CutRehearsal.run(allocator);
        assertThat(allocator.getAllocatedMemory()).isZero();
        assertThat(allocator.getPeakMemoryAllocation()).isPositive();
    }
}
