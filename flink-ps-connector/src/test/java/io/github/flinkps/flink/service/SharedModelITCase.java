package io.github.flinkps.flink.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.KeyList;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SharedModelITCase {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final TableSpec TABLE = TableSpec.sparse("weights", 1, UpdateSpec.sgd(1));

    @TempDir Path folder;
    private final ParameterServer server = ParameterServer.start(ServerConfig.defaults());

    @AfterEach
    void close() {
        server.close();
    }

    private ServiceSpec spec(boolean remote, Duration timeout) {
        Path output = folder.resolve("output");
        return new ServiceSpec(
                "m",
                ServiceSpec.Servers.of(
                        folder.toUri().toString(),
                        remote ? List.of(server.address()) : List.of(),
                        1),
                1,
                ConsistencySpec.asp(),
                List.of(TABLE),
                new ServiceSpec.Start(Files.exists(output) ? output.toString() : null, null),
                new ServiceSpec.Saving(output.toString(), Duration.ZERO, true),
                null,
                ServiceSpec.Lifetime.ATTEMPT,
                timeout);
    }

    private SharedModel.User join(boolean remote, String job) throws Exception {
        ArrowModelArchive archive = new ArrowModelArchive("m", "a", Map.of(), "");
        return SharedModel.join(spec(remote, TIMEOUT), job, new LocalServerBackend(), archive);
    }

    /** Trains a step and returns the value before it. */
    private static float train(SharedModel.User user) throws Exception {
        KeyList keys = user.session().keys(TABLE.name(), new long[] {7}, 0, 1);
        float[] values = new float[1];
        user.session().exchange().pull(keys, values).send().get(10, TimeUnit.SECONDS);
        user.session().exchange().push(keys, new float[] {-1}, 1).send().get(10, TimeUnit.SECONDS);
        user.trained();
        return values[0];
    }

    private void forgetVersion() throws Exception {
        new LocalModelStorage().delete(folder.resolve("output").toString());
    }

    @Test
    void usersOfAProcessTrainOneModelThatTheLastSaves() throws Exception {
        for (boolean remote : new boolean[] {false, true}) {
            SharedModel.User one = join(remote, "job");
            SharedModel.User other = join(remote, "job");
            assertThat(train(one)).isEqualTo(0);
            assertThat(train(other)).isEqualTo(1);
            assertThat(train(one)).isEqualTo(2);
            one.close();
            assertThat(folder.resolve("output")).doesNotExist();
            other.close();
            assertThat(folder.resolve("output")).exists();
            try (SharedModel.User next = join(remote, "next")) {
                assertThat(train(next)).isEqualTo(3);
            }
            forgetVersion();
        }
    }

    @Test
    void serversKeepWhatTheJobHasTrained() throws Exception {
        try (SharedModel.User first = join(true, "job")) {
            train(first);
        }
        forgetVersion();
        try (SharedModel.User again = join(true, "job")) {
            assertThat(train(again)).isEqualTo(1);
        }
        forgetVersion();
        try (SharedModel.User next = join(true, "next")) {
            assertThat(train(next)).isEqualTo(0);
            assertThatThrownBy(() -> join(true, "job"))
                    .isInstanceOf(ServiceException.class)
                    .hasMessageContaining("has taken model 'm' over");
        }
    }

    @Test
    void anotherJobThatTrainsItWithoutServersIsRefused() throws Exception {
        ArrowModelArchive archive = new ArrowModelArchive("m", "a", Map.of(), "");
        try (SharedModel.User first = join(false, "job")) {
            train(first);
            ServiceSpec impatient = spec(false, Duration.ofMillis(200));
            assertThatThrownBy(
                            () ->
                                    SharedModel.join(
                                            impatient, "other", new LocalServerBackend(), archive))
                    .isInstanceOf(ServiceException.class)
                    .hasMessageContaining("is trained elsewhere already");
            assertThat(train(first)).isEqualTo(1);
        }
        join(false, "other").close();
    }

    @Test
    void whatCannotBeReadiedLeavesNothingOpen() throws Exception {
        server.close();
        assertThatThrownBy(() -> join(true, "job")).isInstanceOf(ServiceException.class);
        join(false, "job").close();
        assertThat(folder.resolve("output")).doesNotExist();
    }
}
