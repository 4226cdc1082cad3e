package io.github.flinkps.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.flink.service.ServiceAddress;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.flink.testing.SqlSession;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.CatalogDatabase;
import org.apache.flink.util.CollectionUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CatalogTest {
    private static final String CTR =
            """
            CREATE TABLE %s (
              clicked INT COMMENT 'whether',
              price DOUBLE NOT NULL,
              site STRING,
              words ARRAY<STRING>,
              w DOUBLE
            ) COMMENT 'clicks of ads' WITH (
              'label' = 'clicked', 'weight' = 'w', 'optimizer' = 'ftrl', 'l1' = '0.1')
            """;

    @TempDir Path folder;
    private TableEnvironment sql;

    private TableEnvironment session(EnvironmentSettings settings) {
        TableEnvironment session = TableEnvironment.create(settings);
        session.executeSql(
                "CREATE CATALOG ps WITH ('type' = 'flink-ps', 'model-root' = '%s')"
                        .formatted(folder.resolve("models").toUri()));
        session.executeSql("USE CATALOG ps");
        return session;
    }

    @BeforeEach
    void open() {
        sql = session(EnvironmentSettings.inStreamingMode());
    }

    private static List<String> column(TableEnvironment session, String statement) {
        return CollectionUtil.iteratorToList(session.executeSql(statement).collect()).stream()
                .map(row -> row.getField(0).toString())
                .toList();
    }

    @Test
    void aSecondSessionSeesModels() throws Exception {
        sql.executeSql("CREATE DATABASE ads COMMENT 'of ads' WITH ('owner' = 'me')");
        sql.executeSql(CTR.formatted("ads.ctr"));
        TableEnvironment other = session(EnvironmentSettings.inBatchMode());
        assertThat(column(other, "SHOW DATABASES")).containsExactly("ads", "default", "sys");
        assertThat(column(other, "SHOW TABLES FROM ads")).containsExactly("ctr");
        assertThat(new SqlSession(other).run("DESCRIBE ads.ctr"))
                .isEqualTo(new SqlSession(sql).run("DESCRIBE ads.ctr"))
                .contains("whether");
        CatalogDatabase ads = other.getCatalog("ps").orElseThrow().getDatabase("ads");
        assertThat(ads.getComment()).isEqualTo("of ads");
        assertThat(ads.getProperties()).containsOnly(Map.entry("owner", "me"));
        other.executeSql("ALTER TABLE ads.ctr SET ('l1' = '0.5')");
        other.executeSql("ALTER TABLE ads.ctr ADD (daytime INT COMMENT 'of day')");
        assertThat(new SqlSession(sql).run("SHOW CREATE TABLE ads.ctr"))
                .contains("'l1' = '0.5'", "`daytime` INT COMMENT 'of day'");
        other.executeSql("DROP TABLE ads.ctr");
        assertThat(column(sql, "SHOW TABLES FROM ads")).isEmpty();
        assertThat(new ModelRoot(folder.resolve("models").toString()).hasModel("ads", "ctr"))
                .isFalse();
    }

    @Test
    void whatIsNotDeclaredIsNotDroppedByTheWay() throws IOException {
        sql.executeSql("CREATE DATABASE ads");
        sql.executeSql(CTR.formatted("ads.ctr"));
        ModelRoot root = new ModelRoot(folder.resolve("models").toString());
        new TestingVersions(root, "ads", "ctr").publish(Instant.EPOCH, 1);
        Files.delete(folder.resolve("models/ads/ctr/definition.json"));
        assertRefused(
                "DROP DATABASE ads RESTRICT",
                "database ads holds what jobs have trained of models that are not declared: ctr;");
        sql.executeSql(CTR.formatted("ads.other"));
        assertRefused("ALTER TABLE ads.other RENAME TO ctr", "/ads/ctr is there already");
        assertThat(root.versions("ads", "ctr")).hasSize(1);
        ServiceRegistry registry =
                new ServiceRegistry(folder.resolve("models/ads/ctr").toString(), "run");
        long later = System.currentTimeMillis() + 60_000;
        registry.publish(new ServiceAddress("run", 1, List.of("a:1"), later));
        assertRefused("DROP DATABASE ads CASCADE", "model ads.ctr is being trained");
        registry.remove();
        sql.executeSql("DROP DATABASE ads CASCADE");
        assertThat(folder.resolve("models/ads")).doesNotExist();
    }

    @Test
    void featuresOfATrainedModelKeepTheirNames() {
        sql.executeSql(CTR.formatted("ctr"));
        sql.executeSql("ALTER TABLE ctr RENAME price TO cost");
        sql.executeSql("ALTER TABLE ctr RENAME cost TO price");
        ModelRoot root = new ModelRoot(folder.resolve("models").toString());
        new TestingVersions(root, "default", "ctr").publish(Instant.EPOCH, 1);
        assertRefused(
                "ALTER TABLE ctr RENAME price TO cost",
                "model default.ctr: the name of feature 'price' cannot be changed",
                "sys.reset_model('default.ctr')");
        assertRefused("ALTER TABLE ctr RENAME clicked TO y", "names column 'clicked'");
        sql.executeSql("CALL sys.reset_model('ctr')");
        sql.executeSql("ALTER TABLE ctr RENAME price TO cost");
    }

    /** Training begins anew then, but there is no other version to predict by. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'numeric' = 'none' | option 'numeric'",
                "'algorithm' = 'linear-regression' | the algorithm, logistic-regression then,",
                "'features' = '3' | what gives the model's tables their shape",
            })
    void whatWasTrainedBeforeAResetPredictsOnlyAsItWasDeclared(String change, String what) {
        sql.executeSql("CREATE TABLE ctr (y INT, x DOUBLE) WITH ('label' = 'y')");
        ModelRoot root = new ModelRoot(folder.resolve("models").toString());
        sql.executeSql(
                "LOAD MODULE ps WITH ('model-root' = '" + folder.resolve("models").toUri() + "')");
        sql.executeSql("CREATE TEMPORARY VIEW s AS SELECT 1E0 AS x, PROCTIME() AS proc");
        List<String> predictions =
                List.of(
                        "EXPLAIN SELECT PS_PREDICT('ctr', x) FROM s",
                        "EXPLAIN SELECT p.score FROM s JOIN `ctr$predictions` FOR SYSTEM_TIME AS OF"
                                + " s.proc AS p ON p.x = s.x");
        for (String statement : predictions) {
            assertRefused(statement, "model default.ctr cannot predict: it has no version yet");
        }
        String id = new TestingVersions(root, "default", "ctr").publishDeclared(Instant.EPOCH, 1);
        predictions.forEach(sql::executeSql);
        sql.executeSql("CALL sys.reset_model('ctr')");
        predictions.forEach(sql::executeSql);
        sql.executeSql("ALTER TABLE ctr SET (" + change + ")");
        for (String statement : predictions) {
            assertRefused(statement, "version " + id + " was trained before " + what);
        }
    }

    @Test
    void databasesAreChangedAndDropped() throws Exception {
        sql.executeSql("CREATE DATABASE ads");
        sql.executeSql("CREATE DATABASE IF NOT EXISTS ads COMMENT 'other'");
        sql.executeSql("ALTER DATABASE ads SET ('owner' = 'me')");
        assertThat(sql.getCatalog("ps").orElseThrow().getDatabase("ads").getProperties())
                .containsOnly(Map.entry("owner", "me"));
        sql.executeSql(CTR.formatted("ads.ctr"));
        assertRefused("CREATE DATABASE ads", "Database ads already exists in Catalog ps");
        assertRefused("DROP DATABASE ads", "Database ads in catalog ps is not empty");
        assertRefused("DROP DATABASE nix", "Database nix does not exist");
        assertRefused("CREATE DATABASE `a.b`", "the name of a database must be at most 64");
        assertRefused("ALTER DATABASE sys SET ('a' = 'b')", "holds the procedures");
        sql.executeSql("USE ads");
        assertRefused("DROP DATABASE `default`", "database default cannot be dropped");
        assertRefused("DROP DATABASE sys", "holds the procedures");
        sql.executeSql("USE `default`");
        sql.executeSql("DROP DATABASE IF EXISTS nix");
        sql.executeSql("DROP DATABASE ads CASCADE");
        assertThat(column(sql, "SHOW DATABASES")).containsExactly("default", "sys");
        assertThat(Files.exists(folder.resolve("models/ads"))).isFalse();
    }

    @Test
    void aModelThatIsTrainedStaysWhereItIs() throws Exception {
        sql.executeSql("CREATE DATABASE ads");
        sql.executeSql(CTR.formatted("ads.ctr"));
        String directory = folder.resolve("models/ads/ctr").toString();
        ServiceRegistry registry = new ServiceRegistry(directory, "private-1");
        long later = System.currentTimeMillis() + 60_000;
        registry.publish(new ServiceAddress("private-1", 1, List.of("a:1"), later));
        String message = "model ads.ctr is being trained: end the job first";
        assertRefused("DROP TABLE ads.ctr", message, "for up to a minute");
        assertRefused("ALTER TABLE ads.ctr RENAME TO other", message);
        assertRefused("DROP DATABASE ads CASCADE", message);
        registry.remove();
        sql.executeSql("ALTER TABLE ads.ctr RENAME TO other");
        registry = new ServiceRegistry(folder.resolve("models/ads/other").toString(), "shared");
        registry.publish(new ServiceAddress("shared", 1, List.of("a:1"), Long.MAX_VALUE));
        sql.executeSql("DROP TABLE ads.other");
        assertThat(folder.resolve("models/ads/other")).doesNotExist();
    }

    /** The entry of a job goes when the job has ended already. */
    @Test
    void aModelWhoseJobHasJustEndedIsDropped() throws Exception {
        sql.executeSql("CREATE DATABASE ads");
        sql.executeSql(CTR.formatted("ads.ctr"));
        String directory = folder.resolve("models/ads/ctr").toString();
        ServiceRegistry registry = new ServiceRegistry(directory, "run");
        registry.publish(
                new ServiceAddress("run", 1, List.of("a:1"), System.currentTimeMillis() + 60_000));
        CompletableFuture<Void> ending =
                CompletableFuture.runAsync(
                        () -> {
                            try {
                                registry.remove();
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        },
                        CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS));
        sql.executeSql("DROP TABLE ads.ctr");
        ending.get(60, TimeUnit.SECONDS);
        assertThat(column(sql, "SHOW TABLES FROM ads")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "\"\" | must name a folder, not ''",
                "\"  \" | must name a folder, not ''",
                "http://[bad | 'http://[bad' is neither path nor URI",
                "nix://models | Could not find a file system implementation for scheme 'nix'",
                "FILE | is a file, not a folder",
            })
    void aModelRootThatIsNoneIsRefused(String root, String message) throws Exception {
        String file = Files.createFile(folder.resolve("file")).toUri().toString();
        String named = root.replace("FILE", file);
        String option = "'model-root' = '" + named + "'";
        assertRefused("CREATE CATALOG other WITH ('type' = 'flink-ps', " + option + ")", message);
        assertRefused("LOAD MODULE ps WITH (" + option + ")", "option 'model-root'", message);
        sql.executeSql(
                "CREATE TEMPORARY TABLE apart (y INT, x DOUBLE) WITH ('connector' ="
                        + " 'flink-ps', 'label' = 'y', 'model' = 'm', "
                        + option
                        + ")");
        assertRefused("EXPLAIN INSERT INTO apart SELECT 1, 1E0", "option 'model-root'", message);
    }

    private void assertRefused(String statement, String... messages) {
        assertThatThrownBy(() -> sql.executeSql(statement))
                .satisfies(
                        thrown -> {
                            Throwable cause = thrown;
                            while (cause.getCause() != null
                                    && !(cause instanceof ValidationException)) {
                                cause = cause.getCause();
                            }
                            assertThat(cause).isInstanceOf(ValidationException.class);
                            assertThat(SqlSession.shownByClient(thrown)).contains(messages);
                        });
    }

    @Test
    void whatIsShownMakesTheSameModel() {
        sql.executeSql(CTR.formatted("ctr"));
        String shown = new SqlSession(sql).run("SHOW CREATE TABLE ctr").strip();
        ModelRoot root = new ModelRoot(folder.resolve("models").toString());
        ModelDefinition definition = root.definition("default", "ctr").orElseThrow();
        sql.executeSql("DROP TABLE ctr");
        sql.executeSql(shown);
        assertThat(root.definition("default", "ctr")).contains(definition);
        assertThat(definition.columns().get(1).type()).isEqualTo("DOUBLE NOT NULL");
        assertThat(definition.comment()).isEqualTo("clicks of ads");
        assertThat(definition.options()).hasSize(4);
        assertThat(shown).contains("'connector' = 'flink-ps'", "'model' = 'default.ctr'");
        sql.executeSql(
                "CREATE CATALOG apart WITH ('type' = 'flink-ps', 'remote' = 'a:1, b:2',"
                        + " 'model-root' = '"
                        + folder.resolve("apart").toUri()
                        + "')");
        sql.executeSql("CREATE TABLE apart.`default`.ctr LIKE ctr");
        ModelDefinition apart =
                new ModelRoot(folder.resolve("apart").toString())
                        .definition("default", "ctr")
                        .orElseThrow();
        assertThat(apart.columns()).isEqualTo(definition.columns());
        assertThat(apart.options()).isEqualTo(definition.options());
        assertThat(new SqlSession(sql).run("SHOW CREATE TABLE apart.`default`.ctr"))
                .contains("'catalog-servers' = 'a:1;b:2'", folder.resolve("apart").toString());
    }

    @Test
    void whereAModelIsIsNotChanged() {
        sql.executeSql(CTR.formatted("ctr"));
        String message = "is the catalog's, which shows it";
        assertRefused(
                "ALTER TABLE ctr SET ('model-root' = '/tmp')", "option 'model-root' " + message);
        assertRefused(
                "ALTER TABLE ctr SET ('model' = 'default.other')", "option 'model' " + message);
        assertRefused(
                "ALTER TABLE ctr SET ('catalog-servers' = 'a:1')",
                "option 'catalog-servers' " + message);
        assertRefused(
                "EXPLAIN INSERT INTO ctr /*+ OPTIONS('model' = 'default.other') */ SELECT 1, 1E0,"
                        + " 'a', ARRAY['b'], 1E0",
                "option 'model' " + message);
        assertRefused(
                "CREATE TABLE m (y INT, x INT) WITH ('label' = 'y', 'model-root' = '/tmp')",
                "there is no option 'model-root'");
    }

    @Test
    void modelsAreMadeLikeOthers() {
        sql.executeSql(CTR.formatted("ctr"));
        sql.executeSql("CREATE TABLE cvr WITH ('l1' = '2', 'epochs' = '3') LIKE ctr");
        sql.executeSql(
                "CREATE TABLE prices (price DOUBLE, site STRING) WITH ('label' = 'price',"
                        + " 'algorithm' = 'linear-regression')");
        ModelRoot root = new ModelRoot(folder.resolve("models").toString());
        ModelDefinition cvr = root.definition("default", "cvr").orElseThrow();
        assertThat(cvr.columns())
                .isEqualTo(root.definition("default", "ctr").orElseThrow().columns());
        assertThat(cvr.options())
                .containsEntry("l1", "2")
                .containsEntry("epochs", "3")
                .containsEntry("label", "clicked");
        sql.executeSql(
                "CREATE TEMPORARY TABLE clicks (clicked INT, site STRING, seen TIMESTAMP(3), h AS"
                    + " HOUR(seen), WATERMARK FOR seen AS seen, PRIMARY KEY (clicked) NOT ENFORCED)"
                    + " WITH ('connector' = 'datagen')");
        assertRefused("CREATE TABLE m WITH ('label' = 'clicked') LIKE clicks", "PRIMARY KEY");
        assertRefused(
                "CREATE TABLE m WITH ('label' = 'clicked') LIKE clicks (EXCLUDING CONSTRAINTS)",
                "a WATERMARK");
        assertRefused(
                "CREATE TABLE m WITH ('label' = 'clicked') LIKE clicks (EXCLUDING CONSTRAINTS"
                        + " EXCLUDING WATERMARKS)",
                "computed and metadata columns, such as 'h'");
        assertRefused(
                "CREATE TABLE m WITH ('label' = 'clicked') LIKE clicks (EXCLUDING CONSTRAINTS"
                        + " EXCLUDING WATERMARKS EXCLUDING GENERATED)",
                "column 'seen' of type TIMESTAMP(3) cannot be a feature");
    }

    @Test
    void modelsAreRenamedWithTheirVersions() {
        sql.executeSql(CTR.formatted("ctr"));
        sql.executeSql(CTR.formatted("other"));
        ModelRoot root = new ModelRoot(folder.resolve("models").toString());
        String id = new TestingVersions(root, "default", "ctr").publish(Instant.EPOCH, 1);
        assertRefused("ALTER TABLE ctr RENAME TO other", "already exist");
        assertRefused("ALTER TABLE nix RENAME TO m", "doesn't exist");
        sql.executeSql("ALTER TABLE ctr RENAME TO clicks");
        assertThat(column(sql, "SHOW TABLES")).containsExactly("clicks", "other");
        assertThat(new TestingVersions(root, "default", "clicks").ids()).containsExactly(id);
        assertRefused("ALTER TABLE clicks RENAME TO `a/b`", "the name of a model must be");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "y INT, x FLOAT | 'label'='y', 'optimiser'='adam' | there is no option 'optimiser'"
                        + " with algorithm logistic-regression and optimizer",
                "y INT, x FLOAT | 'label'='y', 'optimiser'='adam' | there are algorithm,"
                        + " batch-size, buffer-rows",
                "y INT, x FLOAT | 'label'='y', 'optimizer'='adan' | unknown update function 'adan'",
                "y INT, x FLOAT | 'label'='y', 'algorithm'='trees' | there are deep-fm",
                "y STRING, x FLOAT | 'label'='y', 'algorithm'='linear-regression' | label column"
                        + " 'y' must be a number",
                "y INT, x FLOAT | 'x'='y' | needs the option 'label'",
                "y INT, x FLOAT | 'label'='y', 'epochs'='many' | option 'epochs'",
                "y INT, x FLOAT | 'label'='y', 'epochs'='1e3' | option 'epochs' cannot be '1e3': it"
                        + " must be a number, a whole one",
                "y INT, x FLOAT | 'label'='y', 'consistency'='weak' | option 'consistency' cannot"
                        + " be 'weak': it must be one of BSP, SSP, ASP, PREDICATE",
                "y INT, x FLOAT | 'label'='y', 'epochs'='0' | epochs must be at least 1, not 0",
                "y INT, x FLOAT | 'label'='y', 'timeout'='0 s' | timeout must be at least",
                "y INT, x FLOAT | 'label'='y', 'linger'='-1 s' | option 'linger'",
                "y INT, x FLOAT | 'label'='y', 'consistency'='ssp' | needs the option staleness",
                "y INT, x FLOAT | 'label'='y', 'validation-share'='1' | below 1, not 1",
                "y INT, x FLOAT | 'label'='y', 'servers'='2', 'remote'='a:1' | either servers or",
                "y INT, x FLOAT | 'label'='y', 'remote'='a:1,b' | remote: not an address: 'b'",
                "y INT, x FLOAT | 'label'='y', 'remote'='a:1;b:2;a:1' | names the server a:1 twice",
                "y INT, x FLOAT | 'label'='y', 'linger'='soon' | a duration, such as '10 s'",
                "y INT, x FLOAT | 'label'='y', 'row-memory'='lots' | a size, such as '64 mb'",
                "y INT, x FLOAT | 'label'='y', 'connector'='kafka' | no option 'connector'",
                "y INT, x DATE | 'label'='y' | column 'x' of type DATE cannot be a feature",
                "y INT, x ROW<a INT> | 'label'='y' | cannot be a feature",
                "y INT, x FLOAT, z AS x + 1 | 'label'='y' | computed and metadata columns",
                "y INT, x FLOAT, PRIMARY KEY (y) NOT ENFORCED | 'label'='y' | a PRIMARY KEY",
                "y INT, x TIMESTAMP(3), WATERMARK FOR x AS x | 'label'='y' | a WATERMARK",
            })
    void badDefinitionsAreRefused(String columns, String options, String message) {
        assertRefused(
                "CREATE TABLE m (%s) WITH (%s)".formatted(columns, options),
                "model default.m: ",
                message);
        assertThat(column(sql, "SHOW TABLES")).isEmpty();
    }

    @Test
    void whatIsNoModelIsRefused() throws IOException {
        assertRefused(
                "CREATE TABLE m (y INT, x INT) PARTITIONED BY (x) WITH ('label' = 'y')",
                "PARTITIONED BY: servers place its parameters");
        assertRefused(
                "CREATE TABLE m (y INT, x INT) DISTRIBUTED BY (x) INTO 3 BUCKETS WITH ('label' ="
                        + " 'y')",
                "DISTRIBUTED BY: servers place its parameters");
        assertRefused("CREATE VIEW v AS SELECT 1 AS n", "tables of this catalog are models");
        assertRefused(CTR.formatted("sys.m"), "database sys holds the procedures");
        assertRefused(CTR.formatted("nix.m"), "Database nix does not exist");
        assertRefused("DESCRIBE m", "doesn't exist");
        assertRefused("DROP TABLE m", "does not exist");
        sql.executeSql("DROP TABLE IF EXISTS m");
        sql.executeSql(CTR.formatted("m"));
        assertRefused(CTR.formatted("m"), "already exist");
        sql.executeSql(CTR.formatted("m").replace("TABLE", "TABLE IF NOT EXISTS"));
        Path file = folder.resolve("models/default/m/definition.json");
        Files.writeString(file, Files.readString(file).replace("\"format\" : 1", "\"format\" : 9"));
        assertRefused("DESCRIBE m", "has format 9", "use a newer flink-ps");
        Files.writeString(
                file,
                """
                {"format": 1, "columns": [{"name": "x", "type": "QUBIT"}], "options": {}}\
                """);
        assertRefused("DESCRIBE m", "column 'x' of a model: there is no type QUBIT");
    }

    @Test
    void catalogsWithBadOptionsAreRefused() {
        String create = "CREATE CATALOG c WITH ('type' = 'flink-ps'%s)";
        String root = ", 'model-root' = '" + folder.toUri() + "'";
        assertRefused(create.formatted(""), "model-root");
        assertRefused(
                create.formatted(root + ", 'server' = 'a:1'"), "Unsupported options", "server");
        for (String servers : List.of("a", "a:1,", "a:b", "a:0")) {
            assertRefused(
                    create.formatted(root + ", 'remote' = '" + servers + "'"),
                    "catalog: remote: not an address: '",
                    "expected host:port, separated by commas or semicolons");
        }
        assertRefused(
                create.formatted(root + ", 'remote' = ''"),
                "catalog: remote must name at least one server");
        assertRefused(
                create.formatted(root + ", 'remote' = 'a:1', 'token-file' = 'a.token'"),
                "token-file needs tls-trust too");
        assertRefused(
                create.formatted(root + ", 'default-database' = 'ads'"),
                "there is no database ads in ",
                "there are default, sys");
    }
}
