package io.github.flinkps.flink.training.cut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.CutReport;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.flink.internal.compat.Barrier;
import io.github.flinkps.flink.testing.TestingCuts;
import io.github.flinkps.model.cut.CutId;
import io.github.flinkps.model.cut.ManifestRef;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class CutRefSerializerTest {
    private static final CutReport REPORT = new CutReport(0, List.of(), List.of(), 0);

    private final CutRefSerializer serializer = new CutRefSerializer();
    private final CompletableFuture<Void> marker = new CompletableFuture<>();
    private final CompletableFuture<CutReport> durable = new CompletableFuture<>();

    private final ManifestCache manifests = new ManifestCache();

    private PendingCut cut(Duration timeout) {
        return new PendingCut(
                new Barrier(5, 0, false),
                1,
                true,
                manifests,
                new CutSettings(true, TestingCuts.publisher(), timeout, 1, false),
                new FinalCuts());
    }

    private CompletableFuture<byte[]> write(CutRef ref) {
        return CompletableFuture.supplyAsync(
                () -> {
                    DataOutputSerializer out = new DataOutputSerializer(64);
                    try {
                        serializer.serialize(ref, out);
                    } catch (IOException e) {
                        throw new IllegalStateException(e.getMessage(), e);
                    }
                    return out.getCopyOfBuffer();
                });
    }

    private static CutId id() {
        return new CutId("run", 3, 5);
    }

    @Test
    void waitsForTheCutButCopiesAtOnce() throws Exception {
        PendingCut pending = cut(Duration.ofSeconds(20));
        CutRef ref = serializer.copy(CutRef.pending(pending));
        CompletableFuture<byte[]> written = write(ref);
        pending.sent(id(), marker, durable);
        marker.complete(null);
        assertThat(written).isNotDone();
        durable.complete(REPORT);
        DataInputDeserializer in = new DataInputDeserializer(written.get(10, TimeUnit.SECONDS));
        CutRef read = serializer.deserialize(in);
        assertThat(read.name()).isEqualTo(id());
        assertThat(read.manifest()).isEqualTo(new ManifestRef("testing/3/5", 7));
        assertThat(in.available()).isZero();
    }

    @Test
    void anAbortEndsTheWait() {
        PendingCut pending = cut(Duration.ofSeconds(20));
        CompletableFuture<byte[]> written = write(CutRef.pending(pending));
        pending.sent(id(), marker, durable);
        pending.fail(new PsException(ErrorCode.CUT_FAILED, "checkpoint 5 was aborted"));
        assertThatThrownBy(() -> written.get(10, TimeUnit.SECONDS))
                .hasMessageContaining("checkpoint 5 was aborted");
        assertThat(pending.isDurable()).isFalse();
    }

    /** The keeper of cuts may remove it. */
    @Test
    void aDurableCutThatIsAbortedGetsNoManifest() {
        PendingCut pending = cut(Duration.ofSeconds(20));
        pending.sent(id(), marker, durable);
        durable.complete(REPORT);
        pending.abort(new PsException(ErrorCode.CUT_FAILED, "checkpoint 5 was aborted"));
        assertThat(pending.isDurable()).isTrue();
        assertThatThrownBy(pending::manifest).hasMessageContaining("it was aborted");
    }

    /** Removing cuts takes as long as the storage does. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void neitherAnAbortNorTheTimeoutWaitsForCutsThatAreBeingRemoved(boolean abort)
            throws Exception {
        PendingCut pending = cut(Duration.ofMillis(abort ? 20_000 : 300));
        pending.sent(id(), marker, durable);
        durable.complete(REPORT);
        manifests.guard().lock();
        try {
            CompletableFuture<byte[]> written = write(CutRef.pending(pending));
            assertThatThrownBy(() -> written.get(100, TimeUnit.MILLISECONDS))
                    .isInstanceOf(TimeoutException.class);
            if (abort) {
                pending.abort(new PsException(ErrorCode.CUT_FAILED, "checkpoint 5 was aborted"));
            }
            assertThatThrownBy(() -> written.get(10, TimeUnit.SECONDS))
                    .hasMessageContaining(abort ? "it was aborted" : "took too long");
        } finally {
            manifests.guard().unlock();
        }
    }

    @Test
    void aLostMarkerEndsTheWait() {
        PendingCut pending = cut(Duration.ofSeconds(20));
        CompletableFuture<byte[]> written = write(CutRef.pending(pending));
        pending.sent(id(), marker, durable);
        marker.completeExceptionally(new PsException(ErrorCode.DISCONNECTED, "server 0 is gone"));
        assertThatThrownBy(() -> written.get(10, TimeUnit.SECONDS))
                .hasMessageContaining("server 0 is gone");
    }

    @Test
    void theTimeoutOfCheckpointsEndsTheWait() {
        CompletableFuture<byte[]> written = write(CutRef.pending(cut(Duration.ofMillis(50))));
        assertThatThrownBy(() -> written.get(10, TimeUnit.SECONDS))
                .hasMessageContaining("did not become durable within 50 ms");
    }

    @Test
    void withoutCheckpointsASavepointIsRefused() {
        CompletableFuture<byte[]> written = write(CutRef.refused("checkpoints are off"));
        assertThatThrownBy(() -> written.get(10, TimeUnit.SECONDS))
                .hasMessageContaining("checkpoints are off");
    }
}
