package io.github.flinkps.flink.ml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.flink.testing.TestingObjectStore;
import io.github.flinkps.testing.ModelValues;
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
        return TestingVersion.save(folder.resolve("versions"), number, (float) number);
    }

    private void copy(String to, ModelData data) throws IOException {
        new VersionCopy(to).flatMap(data.row(), new ListCollector<>(copied));
    }

    private void copy(ModelData data) throws IOException {
        copy(folder.resolve("saved").toString(), data);
    }

    @Test
    void aVersionIsCopiedAsAWhole() throws IOException {
        copy(save(1));
        copy(save(12));
        copy(save(12)); // again, as after a failure
        assertThat(copied).containsExactly(1L, 12L, 12L);
        assertThat(ModelData.versions(folder.resolve("saved").toString()))
                .containsOnlyKeys(1L, 12L);
        assertThat(ModelValues.read(folder.resolve("saved/12")))
                .isEqualTo(ModelValues.read(folder.resolve("versions/12")));
        try (var all = Files.list(folder.resolve("saved"))) {
            assertThat(all).as("and nothing is left beside them").hasSize(2);
        }
    }

    @Test
    void inAStoreAVersionIsThereWhenItsManifestIs() throws IOException {
        String saved = TestingObjectStore.SCHEME + "://" + folder.resolve("saved");
        copy(saved, save(7));
        assertThat(ModelData.versions(saved)).containsOnlyKeys(7L);
        Files.createDirectories(folder.resolve("saved/8"));
        assertThat(ModelData.versions(saved)).containsOnlyKeys(7L);
        assertThat(ModelData.next(saved, 0)).isEqualTo(saved + "/9");
        ModelData there = ModelData.of(saved + "/7", 7);
        there.check();
        assertThat(there.superseded()).isFalse();
    }

    /** Numbers have gaps where a save failed. */
    @Test
    void theNewestVersionsAreKeptWhateverTheirNumbers() throws IOException {
        for (int version : new int[] {1, 2, 3, 6}) {
            save(version);
        }
        String versions = folder.resolve("versions").toString();
        ModelData.keepNewest(versions, 4);
        assertThat(ModelData.versions(versions)).containsOnlyKeys(1L, 2L, 3L, 6L);
        Files.delete(folder.resolve("versions/1/manifest.json"));
        Files.createDirectories(folder.resolve("versions/5"));
        ModelData.keepNewest(versions, 2);
        assertThat(ModelData.versions(versions)).containsOnlyKeys(3L, 6L);
        assertThat(folder.resolve("versions/1")).doesNotExist();
        assertThat(folder.resolve("versions/5")).as("perhaps being written").exists();
    }

    @Test
    void aVersionThatMadeWayForANewerOneIsPassedOver() throws IOException {
        ModelData one = save(1);
        ModelData two = save(2);
        TestingVersion.remove(one);
        copy(one);
        copy(two);
        assertThat(copied).containsExactly(2L);
        assertThat(ModelData.versions(folder.resolve("saved").toString())).containsOnlyKeys(2L);
    }

    @Test
    void aVersionThatIsNotThereFails() throws IOException {
        ModelData one = save(1);
        TestingVersion.remove(one);
        assertThatThrownBy(() -> copy(one)).hasMessageContaining(one.path());
        assertThat(copied).isEmpty();
    }
}
