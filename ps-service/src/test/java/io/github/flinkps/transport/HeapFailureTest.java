package io.github.flinkps.transport;

import static org.assertj.core.api.Assertions.assertThat;

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
}
