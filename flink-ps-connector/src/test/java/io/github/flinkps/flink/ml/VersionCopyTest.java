package io.github.flinkps.flink.ml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.model.ModelManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VersionCopyTest {
    @TempDir Path folder;
    private final List<Long> copied = new ArrayList<>();

    private ModelData save(long number) throws IOException {
        Path version = Files.createDirectories(folder.resolve("versions").resolve("" + number));
        Files.createDirectories(version.resolve("weights"));
        Files.writeString(version.resolve("weights").resolve("0.arrow"), "values of " + number);
        Files.writeString(version.resolve(ModelManifest.FILE), "manifest of " + number);
        return ModelData.of(version, number);
    }

    private void copy(ModelData data) throws IOException {
        new VersionCopy(folder.resolve("saved").toString())
                .flatMap(data.row(), new ListCollector<>(copied));
    }

    @Test
    void aVersionIsCopiedAsAWhole() throws IOException {
        copy(save(1));
        copy(save(12));
        assertThat(copied).containsExactly(1L, 12L);
        assertThat(ModelData.versions(folder.resolve("saved"))).containsOnlyKeys(1L, 12L);
        assertThat(folder.resolve("saved/12/weights/0.arrow")).hasContent("values of 12");
        try (var all = Files.list(folder.resolve("saved"))) {
            assertThat(all).as("and nothing is left beside them").hasSize(2);
        }
    }

    @Test
    void aVersionThatMadeWayForANewerOneIsPassedOver() throws IOException {
        ModelData one = save(1);
        ModelData two = save(2);
        ModelData.remove(Path.of(one.path()));
        copy(one);
        copy(two);
        assertThat(copied).containsExactly(2L);
        assertThat(ModelData.versions(folder.resolve("saved"))).containsOnlyKeys(2L);
    }

    @Test
    void aVersionThatIsNotThereFails() throws IOException {
        ModelData one = save(1);
        ModelData.remove(Path.of(one.path()));
        assertThatThrownBy(() -> copy(one)).hasMessageContaining(one.path());
        assertThat(copied).isEmpty();
    }
}
