package io.github.flinkps.cli.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.flink.service.FlinkModelStorage;
import io.github.flinkps.model.ModelStorage;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class FlinkFilesTest {
    /** Answers whether something exists. */
    private interface Answer {
        boolean exists() throws IOException;
    }

    private static ModelStorage store(Answer answer) {
        return (ModelStorage)
                Proxy.newProxyInstance(
                        FlinkFilesTest.class.getClassLoader(),
                        new Class<?>[] {ModelStorage.class},
                        (proxy, method, arguments) -> {
                            assertThat(method.getName()).isEqualTo("exists");
                            return answer.exists();
                        });
    }

    @Test
    void aStoreThatDoesNotAnswerIsNotWaitedForLong() {
        CountDownLatch given = new CountDownLatch(1);
        ModelStorage silent =
                store(
                        () -> {
                            try {
                                given.await();
                                return true;
                            } catch (InterruptedException e) {
                                throw new IOException(e);
                            }
                        });
        assertThatThrownBy(() -> FlinkFiles.reaching(silent, "s3://a/b", Duration.ofMillis(50)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("model-root cannot be reached by FLINK_PLUGINS_DIR")
                .hasMessageContaining("no answer within");
        given.countDown();
    }

    @Test
    void whatAStoreAnswersIsSaid() throws InterruptedException {
        ModelStorage without = store(() -> false);
        assertThat(FlinkFiles.reaching(without, "s3://a", Duration.ofMinutes(1))).isSameAs(without);
        ModelStorage refusing =
                store(
                        () -> {
                            throw new IOException("no such bucket");
                        });
        assertThatThrownBy(() -> FlinkFiles.reaching(refusing, "s3://a", Duration.ofMinutes(1)))
                .hasMessageContaining("no such bucket");
        assertThatThrownBy(() -> FlinkFiles.reaching("s4://a/b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("s4");
        assertThat(FlinkFiles.storage()).isInstanceOf(FlinkModelStorage.class);
    }
}
