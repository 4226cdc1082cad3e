package io.github.flinkps.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelRootTest {
    private static final ModelDefinition DEFINITION =
            new ModelDefinition(
                    "click-through",
                    List.of(ModelColumn.of("y", "INT"), new ModelColumn("x", "FLOAT", "a number")),
                    Map.of("label", "y"));

    @TempDir Path folder;
    private ModelRoot root;

    @BeforeEach
    void open() {
        root = new ModelRoot(folder.resolve("models").toUri().toString());
    }

    private void version(String id) throws IOException {
        Path directory = folder.resolve("models/ads/ctr/versions/" + id);
        Files.createDirectories(directory);
        Files.createFile(directory.resolve("manifest.json"));
    }

    @Test
    void definitionsAreThereForOthers() throws IOException {
        assertThat(root.databases()).containsExactly("default");
        root.putDatabase("ads", "{}");
        root.putDefinition("ads", "ctr", DEFINITION);
        ModelRoot other = new ModelRoot(folder.resolve("models").toString());
        assertThat(other.databases()).containsExactly("ads", "default");
        assertThat(other.models("ads")).containsExactly("ctr");
        assertThat(other.definition("ads", "ctr")).contains(DEFINITION);
        assertThat(other.definition("ads", "cvr")).isEmpty();
        try (var files = Files.list(folder.resolve("models/ads/ctr"))) {
            assertThat(files).hasSize(1);
        }
        other.dropModel("ads", "ctr");
        assertThat(root.hasModel("ads", "ctr")).isFalse();
        root.dropDatabase("ads");
        assertThat(root.databases()).containsExactly("default");
    }

    @Test
    void namesThatLeaveTheFolderAreRefused() {
        assertThatThrownBy(() -> root.putDefinition("ads", "../ctr", DEFINITION))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the name of a model must be");
        assertThatThrownBy(() -> root.putDatabase("a.b", "{}"))
                .hasMessageContaining("the name of a database must be");
        assertThat(root.hasModel("..", "models")).isFalse();
    }

    @Test
    void versionsAreOrderedByTime() throws IOException {
        Instant noon = Instant.parse("2026-01-31T12:00:00.123Z");
        assertThat(root.newest("ads", "ctr")).isEmpty();
        version(ModelVersion.id(noon));
        version(ModelVersion.id(noon.plusSeconds(60)));
        version("unfinished");
        Files.createDirectories(
                folder.resolve("models/ads/ctr/versions/" + ModelVersion.id(noon.plusSeconds(99))));
        assertThat(root.versions("ads", "ctr"))
                .extracting(ModelVersion::id)
                .containsExactly("20260131T120000123Z", "20260131T120100123Z");
        assertThat(root.newestAt("ads", "ctr", noon.plusSeconds(59)).orElseThrow().published())
                .isEqualTo(noon);
        assertThat(root.newestAt("ads", "ctr", noon.minusMillis(1))).isEmpty();
        assertThat(root.next("ads", "ctr", noon).id()).isEqualTo("20260131T120100124Z");
        root.dropVersion(root.newest("ads", "ctr").orElseThrow());
        assertThat(root.versions("ads", "ctr")).hasSize(1);
    }

    @Test
    void renamingTakesVersionsAlong() throws IOException {
        root.putDefinition("ads", "ctr", DEFINITION);
        version("20260131T120000123Z");
        root.renameModel("ads", "ctr", "clicks");
        assertThat(root.models("ads")).containsExactly("clicks");
        assertThat(root.versions("ads", "clicks")).hasSize(1);
    }

    @Test
    void damagedAndNewerDefinitionsAreRefused() throws IOException {
        root.putDefinition("ads", "ctr", DEFINITION);
        Path file = folder.resolve("models/ads/ctr/definition.json");
        String json = Files.readString(file);
        Files.writeString(file, json.replaceFirst("\"format\" : 1", "\"format\" : 2"));
        assertThatThrownBy(() -> root.definition("ads", "ctr"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has format 2");
        Files.writeString(file, json.substring(0, json.length() / 2));
        assertThatThrownBy(() -> root.definition("ads", "ctr"))
                .hasMessageContaining(file.toString())
                .hasMessageContaining("is damaged");
    }

    @Test
    void trainingGoesOnFromTheNewestVersionUntilItIsReset() throws IOException {
        Instant noon = Instant.parse("2026-01-31T12:00:00.123Z");
        assertThat(root.start("ads", "ctr")).isEmpty();
        root.reset("ads", "ctr", noon.minusSeconds(1));
        version(ModelVersion.id(noon));
        assertThat(root.start("ads", "ctr")).isEqualTo(root.newest("ads", "ctr")).isPresent();
        root.reset("ads", "ctr", noon.minusSeconds(60));
        assertThat(root.start("ads", "ctr")).isEmpty();
        assertThat(root.newest("ads", "ctr")).isPresent();
        version(ModelVersion.id(noon.plusMillis(1)));
        assertThat(root.start("ads", "ctr")).isEqualTo(root.newest("ads", "ctr")).isPresent();
        root.reset("ads", "ctr", noon.plusSeconds(1));
        assertThat(root.next("ads", "ctr", noon).published()).isAfter(noon.plusSeconds(1));
        Files.writeString(folder.resolve("models/ads/ctr/reset"), "never");
        assertThatThrownBy(() -> root.start("ads", "ctr")).hasMessageContaining("is damaged");
        assertThatThrownBy(() -> root.reset("ads", "../ctr", noon))
                .hasMessageContaining("the name of a model must be");
    }
}
