package io.github.flinkps.client;

import java.util.concurrent.atomic.LongAdder;

/** Counts what a client sends and receives. Thread-safe. */
final class Traffic {
    private final LongAdder bytesSent = new LongAdder();
    private final LongAdder bytesReceived = new LongAdder();
    private final LongAdder requests = new LongAdder();
    private final LongAdder retries = new LongAdder();

    void sent(int bytes) {
        bytesSent.add(bytes);
        requests.increment();
    }

    void received(int bytes) {
        bytesReceived.add(bytes);
    }

    void retried() {
        retries.increment();
    }

    TrafficCounters counters() {
        return new TrafficCounters(
                bytesSent.sum(), bytesReceived.sum(), requests.sum(), retries.sum());
    }
}
