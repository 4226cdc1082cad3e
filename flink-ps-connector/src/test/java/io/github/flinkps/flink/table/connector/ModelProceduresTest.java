package io.github.flinkps.flink.table.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.flink.service.FlinkModelStorage;
import io.github.flinkps.flink.table.ModelRoot;
import io.github.flinkps.flink.table.TestingVersions;
import io.github.flinkps.flink.testing.SqlSession;
import io.github.flinkps.model.ModelReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.types.Row;
import org.apache.flink.util.CollectionUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelProceduresTest {
    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

    @TempDir Path folder;
    private ModelRoot root;
    private TestingVersions versions;
    private TableEnvironment sql;

    @BeforeEach
    void open() {
        String location = folder.resolve("models").toUri().toString();
        root = new ModelRoot(location);
        versions = new TestingVersions(root, "ads", "ctr");
        sql = TableEnvironment.create(EnvironmentSettings.inBatchMode());
        sql.executeSql(
                "CREATE CATALOG ps WITH ('type' = 'flink-ps', 'model-root' = '" + location + "')");
        sql.executeSql("CREATE DATABASE ps.ads");
        sql.executeSql(
                "CREATE TABLE ps.ads.ctr (clicked INT, site STRING) WITH ('label' = 'clicked')");
    }

    private List<Row> call(String call) {
        return CollectionUtil.iteratorToList(sql.executeSql("CALL ps.sys." + call).collect());
    }

    private void assertRefused(String call, String message) {
        assertThatThrownBy(() -> call(call))
                .satisfies(
                        thrown ->
                                assertThat(SqlSession.shownByClient(thrown))
                                        .contains("ValidationException: ", message));
    }

    @Test
    void areListed() {
        assertThat(
                        CollectionUtil.iteratorToList(
                                sql.executeSql("SHOW PROCEDURES FROM ps.sys").collect()))
                .containsExactly(
                        Row.of("drop_version"),
                        Row.of("expire_versions"),
                        Row.of("export_model"),
                        Row.of("reset"),
                        Row.of("reset_model"),
                        Row.of("rollback"),
                        Row.of("rollback_model"));
        assertThatThrownBy(() -> call("train('ads.ctr')")).isInstanceOf(ValidationException.class);
    }

    @Test
    void exportsAVersion() throws IOException {
        assertRefused("export_model('ads.ctr', '" + folder + "/x')", "is not trained");
        String first = versions.publish(NOON, 1);
        String second = versions.publish(NOON, 2);
        String out = folder.resolve("out").toString();
        assertThat(call("export_model('ads.ctr', '" + out + "')"))
                .containsExactly(Row.of(second, out, 2L));
        assertThat(TestingVersions.read(out)).isEqualTo(2);
        assertThat(
                        call(
                                "export_model(name => 'ps.ads.ctr', directory => '"
                                        + folder.resolve("out").toUri()
                                        + "', version => '"
                                        + first
                                        + "')"))
                .hasSize(1);
        assertThat(TestingVersions.read(out)).isEqualTo(1);
        Files.writeString(Files.createDirectory(folder.resolve("mine")).resolve("thesis"), "");
        assertRefused(
                "export_model('ads.ctr', '" + folder + "/mine')",
                "is there and is not a model: choose another directory");
        Files.writeString(folder.resolve("mine/manifest.json"), "{}");
        assertRefused(
                "export_model('ads.ctr', '" + folder + "/mine')",
                "is there and is no model that could be replaced: ");
        for (String within : List.of(versions.newest().directory(), folder + "/x/../models/new")) {
            assertRefused(
                    "export_model('ads.ctr', '" + within + "')",
                    "argument 'directory': " + within + " is among the models of file:");
        }
        assertRefused("export_model('ads.ctr', '')", "'directory' must name a directory");
        assertRefused(
                "export_model('ads.ctr', '" + out + "', 'last')",
                "model ads.ctr has no version 'last': there are " + first + ", " + second);
        assertRefused("export_model('cvr', '" + out + "')", "there is no model 'cvr' in file:");
    }

    @Test
    void rollsBackAndDrops() {
        String first = versions.publish(NOON, 1);
        String second = versions.publish(NOON, 2);
        assertRefused("drop_version('ads.ctr', '" + second + "')", "is the newest, which");
        assertRefused("`rollback`('ads.ctr', '" + second + "')", "is the newest already");
        Row row = call("rollback_model('ads.ctr', '" + first + "')").get(0);
        assertThat(row.getField(1)).isEqualTo(first);
        assertThat(versions.newest().id()).isEqualTo(row.getField(0)).isGreaterThan(second);
        assertThat(TestingVersions.read(versions.newest().directory())).isEqualTo(1);
        assertThat(
                        ModelReader.readManifest(
                                        new FlinkModelStorage(), versions.newest().directory())
                                .facts())
                .containsEntry("copy-of", first);
        assertThat(call("drop_version(version => '" + second + "', name => 'ads.ctr')"))
                .containsExactly(Row.of(second));
        assertThat(versions.ids()).containsExactly(first, (String) row.getField(0));
        assertRefused("drop_version('ads.ctr', '" + second + "')", "has no version");
    }

    @Test
    void expiresVersions() {
        Instant now = Instant.now();
        String old = versions.publish(now.minus(Duration.ofDays(9)), 1);
        String middle = versions.publish(now.minus(Duration.ofDays(5)), 2);
        String young = versions.publish(now.minus(Duration.ofHours(2)), 3);
        String newest = versions.publish(now.minus(Duration.ofHours(1)), 4);
        assertRefused("expire_versions('ads.ctr', 0)", "'keep' must be at least 1");
        assertRefused("expire_versions('ads.ctr', 1, 'soon')", "must be a duration such as '7 d'");
        assertThat(call("expire_versions(name => 'ads.ctr', keep => 1, older_than => '7 d')"))
                .containsExactly(Row.of(old));
        assertThat(call("expire_versions('ads.ctr', 2)")).containsExactly(Row.of(middle));
        assertThat(call("expire_versions('ads.ctr', 2)")).isEmpty();
        assertThat(versions.ids()).containsExactly(young, newest);
        assertThat(call("expire_versions('ads.ctr', 1)")).containsExactly(Row.of(young));
        assertThat(versions.ids()).containsExactly(newest);
    }

    @Test
    void aResetModelMayChangeAsItLikes() {
        String alter = "ALTER TABLE ps.ads.ctr SET ('algorithm' = 'deep-fm')";
        assertThat(call("`reset`('ads.ctr')")).containsExactly(Row.of("ads.ctr", null));
        String trained = versions.publish(NOON, 1);
        assertThatThrownBy(() -> sql.executeSql(alter))
                .hasRootCauseInstanceOf(ValidationException.class)
                .rootCause()
                .hasMessageContaining("option 'algorithm' cannot be changed");
        assertThat(call("reset_model(name => 'ads.ctr')"))
                .containsExactly(Row.of("ads.ctr", trained));
        assertThat(root.start("ads", "ctr")).isEmpty();
        assertThat(call("reset_model('ads.ctr')")).containsExactly(Row.of("ads.ctr", null));
        sql.executeSql(alter);
        assertRefused("rollback_model('ads.ctr', '" + trained + "')", "is of another shape");
        sql.executeSql("ALTER TABLE ps.ads.ctr RESET ('algorithm')");
        call("rollback_model('ads.ctr', '" + trained + "')");
        assertThat(TestingVersions.read(versions.newest().directory())).isEqualTo(1);
        assertThat(root.start("ads", "ctr")).contains(versions.newest());
    }
}
