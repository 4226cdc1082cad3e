package io.github.flinkps.flink.training.scoring;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.service.ServiceAddress;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.flink.testing.TestingOperatorContext;
import io.github.flinkps.flink.testing.TestingParameterService;
import io.github.flinkps.flink.testing.TestingRows;
import io.github.flinkps.flink.training.worker.TestingSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ScoringOperatorTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    @TempDir private Path root;
    private final LogisticRegression model = LogisticRegression.builder().build();

    /** Checkpoints hold no rows: what came before a barrier is scored before it goes on. */
    @Test
    void allRowsBeforeABarrierAreScoredBeforeIt() throws Exception {
        TestingOperatorContext<ScoredBatch> context = new TestingOperatorContext<>(0, 1);
        try (TestingParameterService service = TestingParameterService.create("scoring");
                ParameterClient client = service.backend().connect(List.of(), TIMEOUT)) {
            try (ModelSession session =
                    client.open(
                                    new SessionSpec(
                                            "m",
                                            "run",
                                            1,
                                            SessionSpec.NO_WORKER,
                                            1,
                                            ConsistencySpec.asp(),
                                            TIMEOUT))
                            .get(10, TimeUnit.SECONDS)) {
                for (TableSpec table : model.tables()) {
                    session.createTable(table).get(10, TimeUnit.SECONDS);
                }
            }
            new ServiceRegistry(root.toUri().toString(), "run")
                    .publish(new ServiceAddress("run", 1, List.of("a:1"), Long.MAX_VALUE));
            ScoringOperator operator =
                    new ScoringOperator(TestingSettings.scoring(root), model, service.backend());
            operator.open(context);
            for (int barrier = 1; barrier <= 3; barrier++) {
                operator.element(TestingRows.batch(barrier, 25, 50));
                operator.beforeBarrier();
                assertThat(context.emitted.stream().mapToInt(ScoredBatch::rows).sum())
                        .isEqualTo(barrier * 25);
            }
            assertThat(service.pushes).hasValue(0);
            operator.close();
        }
    }
}
