package io.github.flinkps.examples.kafka;

import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Writes rows, which are the numbers of their own, to a topic, with pauses, until it is told to
 * end. The last partition of the topic stays idle.
 */
public final class TopicWriter extends Thread {
    /** The partitions of the topics that are written. */
    public static final int PARTITIONS = 4;

    private static final int PER_PAUSE = 100;
    private static final long PAUSE_MILLIS = 60;

    private final KafkaProducer<String, String> producer;
    private final String topic;
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private long written;

    /**
     * @param producer is used by this thread until {@link #end()}, and stays its maker's
     */
    public TopicWriter(KafkaProducer<String, String> producer, String topic) {
        this.producer = producer;
        this.topic = topic;
    }

    /** Writes the next row, by the one thread that writes. */
    void write() {
        int partition = (int) (written % (PARTITIONS - 1));
        producer.send(
                TestingKafka.to(topic, partition, Long.toString(written)),
                (place, error) -> failure.compareAndSet(null, error));
        written++;
    }

    @Override
    public void run() {
        try {
            while (true) {
                write();
                if (written % PER_PAUSE == 0) {
                    Thread.sleep(PAUSE_MILLIS);
                }
            }
        } catch (InterruptedException | InterruptException end) {
            // That is the end.
        }
    }

    /**
     * Ends the writing, and returns how many rows are in the topic; fails if one did not get there.
     */
    public long end() throws InterruptedException {
        interrupt();
        join();
        producer.flush();
        if (failure.get() != null) {
            throw new AssertionError("a row is not in " + topic, failure.get());
        }
        return written;
    }
}
