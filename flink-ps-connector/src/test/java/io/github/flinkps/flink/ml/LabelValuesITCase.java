package io.github.flinkps.flink.ml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.flink.ml.Pairs.Pair;
import io.github.flinkps.flink.ml.param.HasLabelValues;
import io.github.flinkps.flink.testing.SharedCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.typeutils.RowTypeInfo;
import org.apache.flink.ml.builder.PipelineModel;
import org.apache.flink.ml.linalg.Vector;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** VersionPredictor in the labels that rows have, whatever these are. */
@Timeout(120)
class LabelValuesITCase {
    @RegisterExtension static final SharedCluster CLUSTER = new SharedCluster();

    private static final String[] NUMBERS = {"1", "2.5", "-3"};
    private static final String[] TEXTS = {"one; or 'two'", "2", " x"};

    @TempDir Path folder;
    private StreamExecutionEnvironment environment;
    private StreamTableEnvironment tables;

    static Stream<Pair> classifiers() {
        return Pairs.all().stream()
                .filter(pair -> pair.estimator().get() instanceof HasLabelValues);
    }

    @BeforeEach
    void connect() {
        environment = CLUSTER.environment(2);
        tables = StreamTableEnvironment.create(environment);
    }

    /** The rows of a pair with other labels. */
    private Table table(Pair pair, TypeInformation<?> type, Function<Integer, Object> label) {
        RowTypeInfo before = (RowTypeInfo) pair.type();
        int last = before.getArity() - 1;
        TypeInformation<?>[] types = before.getFieldTypes().clone();
        types[last] = type;
        List<Row> rows = new ArrayList<>();
        for (Row row : pair.rows()) {
            Row copy = Row.copy(row);
            copy.setField(last, label.apply(row.<Double>getFieldAs(last).intValue()));
            rows.add(copy);
        }
        return tables.fromDataStream(
                environment.fromData(rows, Types.ROW_NAMED(before.getFieldNames(), types)));
    }

    private Table numbers(Pair pair) {
        return table(pair, Types.DOUBLE, label -> Double.parseDouble(NUMBERS[label]));
    }

    private Table texts(Pair pair) {
        return table(pair, Types.STRING, label -> TEXTS[label]);
    }

    /** The first values, of as many labels as there are. */
    private static String[] values(PsEstimator<?, ?> estimator, String... all) {
        return List.of(all).subList(0, estimator instanceof Softmax ? 3 : 2).toArray(new String[0]);
    }

    private PsEstimator<?, ?> estimator(Pair pair, String... values) {
        PsEstimator<?, ?> estimator = pair.estimator().get();
        ((HasLabelValues<?>) estimator).setLabelValues(values(estimator, values));
        estimator.setModelRoot(folder.resolve("root").toUri().toString());
        return estimator;
    }

    private static void assertLearned(Pair pair, CloseableIterator<Row> predicted)
            throws Exception {
        int count = 0;
        int wrong = 0;
        try (predicted) {
            while (predicted.hasNext()) {
                Row row = predicted.next();
                wrong += row.getField("label").equals(row.getField("prediction")) ? 0 : 1;
                count++;
            }
        }
        assertThat(count).isEqualTo(pair.rows().size());
        assertThat((double) wrong / count).isLessThan(pair.bound());
    }

    private CloseableIterator<Row> collect(Table table) {
        return tables.toDataStream(table).collectAsync();
    }

    @ParameterizedTest
    @MethodSource("classifiers")
    void predictionsAreTheUsersOwnLabels(Pair pair) throws Exception {
        PsModel<?> numbers = estimator(pair, NUMBERS).fit(numbers(pair));
        Table told = numbers.transform(numbers(pair))[0];
        assertThat(told.getResolvedSchema().getColumn("prediction").orElseThrow().getDataType())
                .isEqualTo(DataTypes.DOUBLE());
        CloseableIterator<Row> predictedNumbers = collect(told);
        PsModel<?> texts = estimator(pair, TEXTS).fit(texts(pair));
        Table words = texts.transform(texts(pair))[0];
        assertThat(words.getResolvedSchema().getColumn("prediction").orElseThrow().getDataType())
                .isEqualTo(DataTypes.STRING());
        CloseableIterator<Row> predictedTexts = collect(words);
        String saved = folder.resolve("saved").toString();
        new PipelineModel(List.of(texts)).save(saved);
        environment.execute();
        assertLearned(pair, predictedNumbers);
        assertLearned(pair, predictedTexts);

        connect();
        PipelineModel loaded = PipelineModel.load(tables, saved);
        CloseableIterator<Row> again = collect(loaded.transform(texts(pair))[0]);
        environment.execute();
        assertLearned(pair, again);
    }

    private static Pair softmax() {
        return classifiers()
                .filter(pair -> pair.estimator().get() instanceof Softmax)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aModelThatIsToldItsDataKnowsTextsByItsParam() throws Exception {
        Pair pair = softmax();
        Table table = texts(pair);
        PsModel<?> fitted = estimator(pair, TEXTS).fit(table);
        Row version;
        try (CloseableIterator<Row> data = fitted.getModelData()[0].execute().collect()) {
            version = data.next();
        }
        Table told = tables.fromValues(ModelData.SQL_TYPE, version);
        SoftmaxModel model = new SoftmaxModel().setLabelValues(TEXTS).setModelData(told);
        assertLearned(pair, model.transform(table)[0].execute().collect());
        SoftmaxModel without = new SoftmaxModel().setModelData(told);
        assertThatThrownBy(() -> collectAll(without.transform(table)[0]))
                .hasStackTraceContaining("trained on labels that are texts: set labelValues of");
    }

    private static void collectAll(Table table) throws Exception {
        try (CloseableIterator<Row> rows = table.execute().collect()) {
            rows.forEachRemaining(row -> {});
        }
    }

    @Test
    void rawPredictionsStandInTheOrderOfLabelValues() throws Exception {
        Pair pair = softmax();
        Table table = texts(pair);
        PsModel<?> model = estimator(pair, TEXTS).fit(table);
        try (CloseableIterator<Row> rows = model.transform(table)[0].execute().collect()) {
            Row row = rows.next();
            double[] raw = ((Vector) row.getField("rawPrediction")).toArray();
            int likeliest = List.of(TEXTS).indexOf(row.getField("prediction"));
            for (double each : raw) {
                assertThat(each).isLessThanOrEqualTo(raw[likeliest]);
            }
        }
    }

    @Test
    void labelsFromOneOnAreRefusedUnlessNamed() throws Exception {
        Pair pair = softmax();
        Table table = table(pair, Types.INT, label -> label + 1);
        PsEstimator<?, ?> plain = pair.estimator().get();
        assertThatThrownBy(() -> collectAll(plain.fit(table).transform(table)[0]))
                .hasStackTraceContaining(
                        "label-values names other labels, such as those from 1 to 3");
        PsModel<?> named = estimator(pair, "1", "2", "3").fit(table);
        Table asked = table(pair, Types.DOUBLE, label -> label + 1.0); // equal to what is predicted
        assertLearned(pair, named.transform(asked)[0].execute().collect());
    }

    @Test
    void textsWithoutValuesNameTheParam() {
        Pair pair = softmax();
        assertThatThrownBy(() -> pair.estimator().get().fit(texts(pair)))
                .hasMessageContaining("'label' is text: option 'label-values' must name its 3")
                .hasMessageEndingWith("; param labelValues says label-values");
    }
}
