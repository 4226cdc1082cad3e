package io.github.flinkps.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

class LeakExtensionTest {
    @Test
    void reportsBufferThatIsCollectedUnreleased() throws Exception {
        assertThat(LeakExtension.collectLeaks()).isEmpty();
        leak();
        assertThat(LeakExtension.collectLeaks()).hasSize(1);
        assertThat(LeakExtension.collectLeaks()).isEmpty();
    }

    @Test
    void keepsSilentAboutReleasedBuffer() throws Exception {
        PooledByteBufAllocator.DEFAULT.directBuffer(64).release();
        assertThat(LeakExtension.collectLeaks()).isEmpty();
    }

    @Test
    void failsClassWhoseTestLeaksNettyBuffer() {
        EngineExecutionResults results = run(LeaksNettyBuffer.class);
        results.testEvents().assertStatistics(events -> events.succeeded(1));
        results.containerEvents().assertStatistics(events -> events.failed(1));
    }

    @Test
    void failsTestWhoseAllocatorIsNotEmpty() {
        run(LeaksArrowBuffer.class).testEvents().assertStatistics(events -> events.failed(1));
    }

    @Test
    void passesTestWhoseAllocatorIsEmpty(BufferAllocator allocator) {
        try (var buffer = allocator.buffer(100)) {
            assertThat(allocator.getAllocatedMemory()).isEqualTo(buffer.capacity());
        }
    }

    private static EngineExecutionResults run(Class<?> tests) {
        return EngineTestKit.engine("junit-jupiter")
                .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true")
                .selectors(selectClass(tests))
                .execute();
    }

    private static void leak() {
        ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(64);
        assertThat(buffer.capacity()).isEqualTo(64);
    }

    static class LeaksNettyBuffer {
        @Test
        void leaks() {
            leak();
        }
    }

    static class LeaksArrowBuffer {
        @Test
        void leaks(BufferAllocator allocator) {
            assertThat(allocator.buffer(8).refCnt()).isOne();
        }
    }
}
