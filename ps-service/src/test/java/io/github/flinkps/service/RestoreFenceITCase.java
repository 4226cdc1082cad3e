package io.github.flinkps.service;

import static io.github.flinkps.service.TestingCluster.TIMEOUT;
import static io.github.flinkps.service.TestingCluster.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.cut.ManifestRef;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.testing.TestingCuts;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The roll-back of an attempt that is replaced while it reads. */
class RestoreFenceITCase {
    private static final TableSpec COUNTS =
            TableSpec.dense("counts", 8, 1, UpdateSpec.of("add")).withPartitions(8);
    private static final ServerConfig CONFIG = ServerConfig.defaults().withOwners(2);

    @TempDir private Path folder;

    private static ModelSession worker(TestingCluster cluster, long fence) {
        ModelSession worker = cluster.worker("m", fence, 0, 1, ConsistencySpec.asp());
        get(worker.createTable(COUNTS));
        return worker;
    }

    private CompletableFuture<Long> begin(ModelSession worker, ManifestRef from) {
        return worker.beginCuts(directory(), from, TIMEOUT);
    }

    private String directory() {
        return LocalModelStorage.path(folder.resolve("model"));
    }

    private static void push(ModelSession worker, int times) {
        float[] ones = {1, 1, 1, 1, 1, 1, 1, 1};
        for (int i = 0; i < times; i++) {
            get(worker.exchange().pushRange("counts", 0, 8, ones, 1).clock().send());
        }
    }

    private static float[] values(TestingCluster cluster) {
        ModelSession plain = cluster.session("m");
        get(plain.describe("counts"));
        float[] values = new float[8];
        get(plain.exchange().pullRange("counts", 0, 8, values).send());
        return values;
    }

    /**
     * @param dropped whether the new attempt drops the model first
     * @param fromCut whether it goes on from another cut, else from what is there
     */
    @ParameterizedTest
    @CsvSource({"true,false", "false,false", "true,true", "false,true"})
    void changesNothingOfTheNewAttempt(boolean dropped, boolean fromCut) throws Exception {
        GatedStorage storage = new GatedStorage();
        try (TestingCluster cluster = new TestingCluster(1, CONFIG, storage);
                TestingCuts cuts =
                        new TestingCuts(storage, directory(), ConsistencySpec.asp(), 1)) {
            ModelSession first = worker(cluster, 1);
            get(begin(first, null));
            push(first, 3);
            get(first.marker(1, 0));
            ManifestRef three = cuts.write(1, 1, get(first.awaitCut(1, TIMEOUT)));
            push(first, 4);
            get(first.marker(2, 0));
            ManifestRef seven = cuts.write(1, 2, get(first.awaitCut(2, TIMEOUT)));

            ModelSession replaced = worker(cluster, 2);
            storage.gated = "";
            CompletableFuture<Long> restoring = begin(replaced, seven);
            assertThat(storage.reading.await(20, TimeUnit.SECONDS)).isTrue();
            ParameterClient client = cluster.client();
            long fence = get(client.grantFence("m", "another", "attempt", TIMEOUT));
            if (dropped) {
                get(client.dropModel("m", fence, TIMEOUT));
            }
            ModelSession now = worker(cluster, fence);
            CompletableFuture<Long> begun = begin(now, fromCut ? three : null);
            storage.gated = null;
            if (fromCut) {
                storage.gate.countDown();
                get(begun);
                push(now, 5);
            } else {
                get(begun);
                push(now, 5);
                storage.gate.countDown();
            }
            assertThatThrownBy(() -> get(restoring)).isNotNull();
            get(now.marker(9, 0));
            assertThat(get(now.awaitCut(9, TIMEOUT)).parts()).isNotEmpty();
            assertThat(values(cluster)).containsOnly(fromCut ? 8 : dropped ? 5 : 12);
        }
    }
}
