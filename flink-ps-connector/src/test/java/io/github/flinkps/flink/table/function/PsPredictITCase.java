package io.github.flinkps.flink.table.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.RowChunk;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.FeatureHash;
import io.github.flinkps.flink.service.ArrowModelArchive;
import io.github.flinkps.flink.service.EmbeddedServer;
import io.github.flinkps.flink.service.LocalServerBackend;
import io.github.flinkps.flink.service.TaskHost;
import io.github.flinkps.flink.table.ModelColumn;
import io.github.flinkps.flink.table.ModelDefinition;
import io.github.flinkps.flink.table.ModelRoot;
import io.github.flinkps.flink.table.ModelSpec;
import io.github.flinkps.flink.table.ModelVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class PsPredictITCase {
    private static final ModelDefinition CLICKS =
            new ModelDefinition(
                    "",
                    List.of(
                            ModelColumn.of("clicked", "INT"),
                            ModelColumn.of("price", "DOUBLE"),
                            ModelColumn.of("site", "STRING"),
                            ModelColumn.of("words", "ARRAY<STRING>")),
                    Map.of("label", "clicked", "partitions", "1", "numeric", "none"));
    private static final int CLASSES = 3;
    private static final ModelDefinition KINDS =
            new ModelDefinition(
                    "",
                    List.of(ModelColumn.of("kind", "INT"), ModelColumn.of("size", "FLOAT")),
                    Map.of(
                            "label",
                            "kind",
                            "algorithm",
                            "softmax",
                            "classes",
                            Integer.toString(CLASSES)));

    @TempDir Path folder;
    private ModelRoot root;

    @BeforeEach
    void declare() {
        root = new ModelRoot(folder.toString());
        root.putDatabase("ads", "{}");
        root.putDefinition("ads", "ctr", CLICKS);
        root.putDefinition("default", "kinds", KINDS);
        root.putDefinition(
                "ads",
                "price",
                new ModelDefinition(
                        "",
                        List.of(ModelColumn.of("price", "INT"), ModelColumn.of("size", "FLOAT")),
                        Map.of("label", "price", "algorithm", "linear-regression")));
    }

    private TableEnvironment session(boolean streaming) {
        TableEnvironment session =
                TableEnvironment.create(
                        streaming
                                ? EnvironmentSettings.inStreamingMode()
                                : EnvironmentSettings.inBatchMode());
        session.getConfig().set("parallelism.default", "1");
        session.executeSql("LOAD MODULE ps WITH ('model-root' = '" + folder + "')");
        return session;
    }

    /** Saves a version in which the features of the model have these weights. */
    private void version(Map<Long, Float> weights) throws Exception {
        version("ads", "ctr", weights);
    }

    private void version(String database, String name, Map<Long, Float> weights) throws Exception {
        TrainingModel model =
                ModelSpec.of(name, root.definition(database, name).orElseThrow()).model();
        SessionSpec spec =
                new SessionSpec(
                        "ctr",
                        "",
                        0,
                        SessionSpec.NO_WORKER,
                        1,
                        ConsistencySpec.asp(),
                        Duration.ofSeconds(20));
        LocalServerBackend backend = new LocalServerBackend();
        try (EmbeddedServer server = backend.startServer(0, 0, TaskHost.ofMachine(1L << 28));
                ParameterClient client =
                        backend.connect(List.of(server.address()), Duration.ofSeconds(20));
                ModelSession session = client.open(spec).get(20, TimeUnit.SECONDS)) {
            for (TableSpec table : model.tables()) {
                session.createTable(table).get(20, TimeUnit.SECONDS);
            }
            for (Map.Entry<Long, Float> weight : weights.entrySet()) {
                RowChunk row =
                        new RowChunk(
                                0,
                                new long[] {weight.getKey()},
                                new float[] {weight.getValue()},
                                new float[0][],
                                0,
                                RowChunk.END);
                session.load(model.tables().get(0).name(), row).get(20, TimeUnit.SECONDS);
            }
            new ArrowModelArchive("ctr", model.name(), model.options(), "")
                    .save(
                            session,
                            model.tables(),
                            root.next(database, name, Instant.now()).directory(),
                            false);
        }
    }

    private static List<Object> column(TableEnvironment session, String query) throws Exception {
        List<Object> values = new ArrayList<>();
        try (CloseableIterator<Row> rows = session.executeSql(query).collect()) {
            rows.forEachRemaining(row -> values.add(row.getField(0)));
        }
        return values;
    }

    private static long key(String column, String value) {
        return new FeatureHash(column, 64).key(value);
    }

    private static double probability(double z) {
        return 1 / (1 + Math.exp(-z));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void scoresRowsOfAQuery(boolean streaming) throws Exception {
        version(
                Map.of(
                        key("price", "#"), .5f,
                        key("price", ""), 3f,
                        key("site", "a.org"), -1f,
                        key("words", "x"), 2f));
        List<Object> scores =
                column(
                        session(streaming),
                        "SELECT PS_PREDICT('ads.ctr', price, site, words) FROM (VALUES"
                                + " (2, 'a.org', ARRAY['x', 'y']),"
                                + " (CAST(NULL AS INT), 'b.org', ARRAY['y', 'z'])"
                                + ") AS t(price, site, words)");
        scores.sort(null); // each row is an input of its own to Flink
        assertThat(scores).hasSize(2);
        assertThat((Double) scores.get(0)).isCloseTo(probability(1 - 1 + 2), within(1e-6));
        assertThat((Double) scores.get(1)).isCloseTo(probability(3), within(1e-6));
    }

    @Test
    void rowsThatDoNotWaitForEachOtherAreScoredAlike() throws Exception {
        version(
                Map.of(
                        key("price", "#"), .5f,
                        key("price", ""), 3f,
                        key("site", "s1"), -1f,
                        key("words", "w2"), 2f));
        TableEnvironment session = session(true);
        session.executeSql(
                "CREATE TEMPORARY TABLE n (n BIGINT) WITH ('connector' = 'datagen',"
                        + " 'fields.n.kind' = 'sequence', 'fields.n.start' = '1',"
                        + " 'fields.n.end' = '3000')");
        String features =
                "NULLIF(MOD(n, 7), 3), CONCAT('s', CAST(MOD(n, 3) AS STRING)),"
                        + " ARRAY[CONCAT('w', CAST(MOD(n, 5) AS STRING))]";
        List<Object> equal =
                column(
                        session,
                        "SELECT CASE WHEN MOD(n, 7) = 3 THEN asynchronous IS NULL ELSE waited ="
                                + " asynchronous END FROM (SELECT n, PS_PREDICT('ads.ctr', "
                                + features
                                + ") AS waited, PS_PREDICT_ASYNC('ads.ctr', "
                                + features
                                + ") AS asynchronous FROM n)");
        assertThat(equal).hasSize(3000).containsOnly(true);
    }

    @Test
    void arraysOfScoresComeWithoutWaitingToo() throws Exception {
        TableEnvironment session = session(true);
        assertUntrained(session, "SELECT PS_PREDICT_ASYNC('kinds', 1.5) AS p");
        version("default", "kinds", Map.of());
        assertThat(
                        session.sqlQuery("SELECT PS_PREDICT_ASYNC('kinds', 1.5) AS p")
                                .getResolvedSchema()
                                .getColumnDataTypes())
                .hasToString("[ARRAY<DOUBLE NOT NULL>]");
        assertThat(
                        column(
                                session,
                                "SELECT CARDINALITY(PS_PREDICT_ASYNC('kinds', x)) FROM (VALUES"
                                        + " (1.5), (2.5)) AS t (x)"))
                .containsExactly(CLASSES, CLASSES);
    }

    private static void assertUntrained(TableEnvironment session, String query) {
        assertThatThrownBy(() -> session.sqlQuery(query))
                .isInstanceOf(ValidationException.class)
                .hasStackTraceContaining("default.kinds cannot predict: it has no version yet");
    }

    @Test
    void aModelOfClassesGivesAnArray() throws Exception {
        TableEnvironment session = session(true);
        assertUntrained(session, "SELECT PS_PREDICT('kinds', 1.5) AS p");
        version("default", "kinds", Map.of());
        assertThat(
                        session.sqlQuery("SELECT PS_PREDICT('kinds', 1.5) AS p")
                                .getResolvedSchema()
                                .getColumnDataTypes())
                .hasToString("[ARRAY<DOUBLE NOT NULL> NOT NULL]");
        assertThat(column(session, "SELECT CARDINALITY(PS_PREDICT('kinds', 1.5))"))
                .containsExactly(CLASSES);
    }

    /** Site 'a' speaks for the second label, 'b' for the other one. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "STRING | ham;spam | ham | spam | STRING NOT NULL",
                "CHAR(4) | ham;spam | ham | spam | STRING NOT NULL",
                "INT | 2;-4 | 2 | -4 | INT NOT NULL",
                "TINYINT | 2;-4 | 2 | -4 | TINYINT NOT NULL",
                "SMALLINT | 2;4 | 2 | 4 | SMALLINT NOT NULL",
                "BIGINT | 1;2 | 1 | 2 | BIGINT NOT NULL",
                "FLOAT | 1;2.5 | 1.0 | 2.5 | FLOAT NOT NULL",
                "DOUBLE | 1;0.1 | 1.0 | 0.1 | DOUBLE NOT NULL",
                "DECIMAL(5, 2) | 1;0.25 | 1.00 | 0.25 | DECIMAL(5, 2) NOT NULL",
                "BOOLEAN | | false | true | BOOLEAN NOT NULL",
                "INT | | 0 | 1 | INT NOT NULL",
            })
    void labelsArePredictedAsTheColumnHasThem(
            String type, String values, String other, String label, String output)
            throws Exception {
        Map<String, String> options = new HashMap<>(Map.of("label", "y", "partitions", "1"));
        if (values != null) {
            options.put("label-values", values);
        }
        root.putDefinition(
                "ads",
                "ctr",
                new ModelDefinition(
                        "",
                        List.of(ModelColumn.of("y", type), ModelColumn.of("site", "STRING")),
                        options));
        version(Map.of(key("site", "a"), 2f, key("site", "b"), -2f));
        TableEnvironment session = session(true);
        Table predicted = session.sqlQuery("SELECT PS_PREDICT_LABEL('ads.ctr', 'a') AS p");
        assertThat(predicted.getResolvedSchema().getColumnDataTypes())
                .hasToString("[" + output + "]");
        assertThat(column(session, "SELECT PS_PREDICT_LABEL('ads.ctr', 'a')"))
                .singleElement()
                .hasToString(label);
        assertThat(column(session, "SELECT PS_PREDICT_LABEL('ads.ctr', 'b')"))
                .singleElement()
                .hasToString(other);
    }

    @Test
    void theLikeliestOfSeveralLabelsIsPredicted() throws Exception {
        Map<String, String> options = new HashMap<>(KINDS.options());
        options.put("label-values", "1;2;3");
        root.putDefinition("default", "kinds", new ModelDefinition("", KINDS.columns(), options));
        version("default", "kinds", Map.of());
        assertThat(column(session(true), "SELECT PS_PREDICT_LABEL('kinds', 1.5)"))
                .containsExactly(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PS_PREDICT_LABEL('ads.price', 1) | PS_PREDICT_LABEL: model ads.price: algorithm"
                        + " linear-regression tells no labels apart",
                "PS_PREDICT_LABEL('ads.ctr', 1, 'a') | has 3 features (price, site, words), but 2"
                        + " are given",
                "PS_PREDICT('ads.cvr', 1, 'a') | there is no model ads.cvr in",
                "PS_PREDICT('ads.cvr', 1, 'a') | database 'ads' has [ctr, price]",
                "PS_PREDICT('ads.ctr', 1, 'a') | has 3 features (price, site, words), but 2 are"
                        + " given",
                "PS_PREDICT('ads.ctr', 'a', 'b', ARRAY['c']) | feature 'price' must be DOUBLE",
                "PS_PREDICT('ads.ctr', 1, 2, ARRAY['c']) | feature 'site' must be STRING",
                "PS_PREDICT('ads.ctr', 1, 'a', ARRAY[1]) | feature 'words' must be ARRAY<STRING>",
                "PS_PREDICT(CAST(RAND() AS STRING), 1, 'a') | must be the name of a model, a"
                        + " literal",
            })
    void callsThatDoNotFitAreRefusedWhenValidated(String call, String message) {
        TableEnvironment session = session(true);
        assertThatThrownBy(() -> session.sqlQuery("SELECT " + call))
                .isInstanceOf(ValidationException.class)
                .hasStackTraceContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'formatVersion' : 1 | 'formatVersion' : 2 | format 2, written by a newer flink-ps",
                "'algorithm' | 'algorism' | is damaged",
            })
    void aNewestVersionThatCannotBeReadIsRefusedWhenValidated(
            String before, String after, String message) throws Exception {
        version(Map.of(1L, 1f));
        ModelVersion newest = root.newest("ads", "ctr").orElseThrow();
        Path manifest = Path.of(newest.directory()).resolve("manifest.json");
        String json = Files.readString(manifest);
        String other = json.replace(before.replace('\'', '"'), after.replace('\'', '"'));
        assertThat(other).isNotEqualTo(json);
        Files.writeString(manifest, other);
        TableEnvironment session = session(true);
        assertThatThrownBy(
                        () ->
                                session.sqlQuery(
                                        "SELECT PS_PREDICT('ads.ctr', 1.0, 'a', ARRAY['b'])"))
                .isInstanceOf(ValidationException.class)
                .hasStackTraceContaining("model ads.ctr: its newest version cannot be read: ")
                .hasStackTraceContaining(message)
                .hasStackTraceContaining("; rollback_model publishes an older one");
    }
}
