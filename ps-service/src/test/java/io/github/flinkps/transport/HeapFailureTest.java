package io.github.flinkps.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeapFailureTest {
    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "none, true",
                "Java heap space, true",
                "Java heap space: failed reallocation of scalar replaced objects, true",
                "GC overhead limit exceeded, true",
                "'Cannot reserve 8 bytes of direct buffer memory', false",
                "Metaspace, false",
                "unable to create native thread: possibly out of memory, false"
            })
    void onlyAnExhaustedHeapIsOne(String message, boolean isOne) {
        HeapFailure heap = new HeapFailure(0);
        heap.check(new OutOfMemoryError(message));
        assertThat(heap.future().isDone()).isEqualTo(isOne);
    }

    /** Netty catches the error by which a loop ends; without its loop no connection is answered. */
    @Test
    void soIsALoopThatEndsBeforeItsTransport() throws Exception {
        HeapFailure heap = new HeapFailure(0);
        ConnectionLimits limits = ConnectionLimits.ofClient(ConnectionLimits.PEER_TIMEOUT);
        try (NettyTransport transport =
                new NettyTransport("test", 2, 1 << 10, null, limits, heap)) {
            NettyLoop second = (NettyLoop) transport.loops().get(1);
            second.execute(() -> {});
            second.eventLoop().shutdownGracefully(0, 0, TimeUnit.SECONDS);
            assertThat(heap.future().get(20, TimeUnit.SECONDS)).hasMessageContaining("has ended");
        }
    }

    @Test
    void aTransportThatClosesIsNone() {
        HeapFailure heap = new HeapFailure(0);
        ConnectionLimits limits = ConnectionLimits.ofClient(ConnectionLimits.PEER_TIMEOUT);
        try (NettyTransport transport =
                new NettyTransport("test", 1, 1 << 10, null, limits, heap)) {
            transport.loop().execute(() -> {});
        }
        assertThat(heap.future()).isNotDone();
    }
}
