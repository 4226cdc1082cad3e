package io.github.flinkps.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.flink.service.ServiceAddress;
import io.github.flinkps.flink.service.ServiceRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunLocatorTest {
    @TempDir private Path folder;

    @Test
    void findsItsServersWhateverTheTimeOfTheirEntry() throws Exception {
        String directory = folder.toUri() + "default/clicks";
        ServiceRegistry registry = new ServiceRegistry(directory, "run");
        RunLocator locator = new RunLocator(directory, "run", null, Duration.ofSeconds(1));
        assertThat(locator.live()).isEmpty();
        ServiceAddress late = new ServiceAddress("run", 1, List.of("a:1"), 1);
        registry.publish(late);
        assertThat(locator.live()).containsExactly(late.lasting());
        registry.publish(new ServiceAddress("run", 1, List.of(), 1, true));
        assertThat(locator.live()).as("of a job that has ended").isEmpty();
    }
}
