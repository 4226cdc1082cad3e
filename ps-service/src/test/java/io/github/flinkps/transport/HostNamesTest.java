package io.github.flinkps.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.Endpoint;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HostNamesTest {
    private static final int SILENT_NAMES = 20;

    private final CountDownLatch answering = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();
    private final HostNames names = new HostNames(this::lookUp);

    /** Answers one name at once, one with an error, and the others late. */
    private InetAddress lookUp(String name) throws UnknownHostException {
        if (name.equals("unknown")) {
            throw new UnknownHostException(name);
        }
        if (!name.equals("good")) {
            asked.incrementAndGet();
            try {
                answering.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return InetAddress.getLoopbackAddress();
    }

    @Test
    void namesThatNobodyAnswersForHoldUpNoOthers() throws Exception {
        List<CompletableFuture<InetSocketAddress>> silent = new ArrayList<>();
        for (int i = 0; i < 10 * SILENT_NAMES; i++) {
            String name = "silent-" + i % SILENT_NAMES;
            silent.add(names.find(new Endpoint(name, i + 1), 20_000));
        }
        assertThat(names.find(new Endpoint("good", 7), 20_000).get(20, TimeUnit.SECONDS))
                .isEqualTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), 7));
        assertThat(failure("late", 1)).hasMessageContaining("not found within 1 ms");
        assertThat(failure("unknown", 20_000)).hasMessageContaining("its name is not known");
        assertThat(silent).noneMatch(CompletableFuture::isDone);
        answering.countDown();
        for (int i = 0; i < silent.size(); i++) {
            assertThat(silent.get(i).get(20, TimeUnit.SECONDS).getPort()).isEqualTo(i + 1);
        }
        assertThat(asked).as("look-ups").hasValueLessThanOrEqualTo(SILENT_NAMES + 1);
    }

    private Throwable failure(String name, long timeoutMillis) throws Exception {
        return names.find(new Endpoint(name, 1), timeoutMillis)
                .handle((found, failure) -> failure)
                .get(20, TimeUnit.SECONDS);
    }
}
