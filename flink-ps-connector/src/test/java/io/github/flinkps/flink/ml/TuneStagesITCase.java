package io.github.flinkps.flink.ml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.model.ModelReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.ml.linalg.DenseVector;
import org.apache.flink.ml.linalg.Vectors;
import org.apache.flink.ml.linalg.typeinfo.VectorTypeInfo;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Stages with the param tune, which finds options by the rows of a table. */
@Timeout(240)
class TuneStagesITCase {
    @RegisterExtension static final SharedCluster CLUSTER = new SharedCluster();

    private static final int ROWS = 400;
    private static final double NOISE = 50;
    private static final TypeInformation<Row> TYPE =
            Types.ROW_NAMED(
                    new String[] {"income", "age", "rich", "rent", "features"},
                    Types.DOUBLE,
                    Types.DOUBLE,
                    Types.DOUBLE,
                    Types.DOUBLE,
                    VectorTypeInfo.INSTANCE);

    @TempDir Path folder;
    private StreamExecutionEnvironment environment;
    private StreamTableEnvironment tables;
    private Table train;
    private Table test;

    @BeforeEach
    void connect() {
        environment = CLUSTER.environment(2);
        tables = StreamTableEnvironment.create(environment);
        train = people(1);
        test = people(2);
    }

    /** Returns people whose incomes are large numbers, and their ages small ones. */
    private Table people(int seed) {
        Random random = new Random(seed);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            double income = 50_000 + 20_000 * random.nextGaussian();
            double age = 20 + random.nextInt(50);
            double margin = (income - 50_000) / 10_000 + (age - 45) / 10;
            double rich = random.nextDouble() < 1 / (1 + Math.exp(-margin)) ? 1 : 0;
            double rent = .01 * income + 5 * age + NOISE * random.nextGaussian();
            rows.add(Row.of(income, age, rich, rent, Vectors.dense(margin, age / 50)));
        }
        return tables.fromDataStream(environment.fromData(rows, TYPE));
    }

    private <E extends PsEstimator<E, ?>> E of(E estimator) {
        return estimator.setModelRoot(folder.resolve("root").toUri().toString());
    }

    private LogisticRegression logistic() {
        return of(new LogisticRegression()).setFeaturesCols("income", "age").setLabelCol("rich");
    }

    private static List<Row> list(Table table) throws Exception {
        List<Row> rows = new ArrayList<>();
        try (CloseableIterator<Row> results = table.execute().collect()) {
            results.forEachRemaining(rows::add);
        }
        return rows;
    }

    private double logloss(LogisticRegressionModel model) throws Exception {
        double sum = 0;
        for (Row row : list(model.transform(test)[0])) {
            double[] of = row.<DenseVector>getFieldAs("rawPrediction").values;
            sum -= Math.log(of[row.<Double>getFieldAs("rich").intValue()]);
        }
        return sum / ROWS;
    }

    private double error(LinearRegressionModel model) throws Exception {
        double sum = 0;
        for (Row row : list(model.transform(test)[0])) {
            double apart = row.<Double>getFieldAs("prediction") - row.<Double>getFieldAs("rent");
            sum += apart * apart;
        }
        return Math.sqrt(sum / ROWS);
    }

    private static Map<String, String> parameters(PsModel<?> model) throws Exception {
        String path = ModelData.of(list(model.getModelData()[0]).get(0)).path();
        return ModelReader.readManifest(ModelData.storage(path), path).header().parameters();
    }

    @Test
    void findsScalesAndWhatLearns() throws Exception {
        double best = 0; // of whoever knows how the labels were drawn
        for (Row row : list(test)) {
            double margin = row.<DenseVector>getFieldAs("features").values[0];
            best += Math.log1p(Math.exp(row.<Double>getFieldAs("rich") == 1 ? -margin : margin));
        }
        double found = logloss(logistic().setTune(true).fit(train));
        assertThat(found).isBetween(.98 * best / ROWS, 1.05 * best / ROWS);
        assertThat(logloss(logistic().fit(train))).isGreaterThan(1.1 * found);
        LinearRegression linear =
                of(new LinearRegression()).setFeaturesCols("income", "age").setLabelCol("rent");
        assertThat(error(linear.setTune(true).fit(train))).isBetween(.9 * NOISE, 1.1 * NOISE);
    }

    @Test
    void whatIsSetStays() throws Exception {
        LogisticRegression told =
                logistic()
                        .setTune(true)
                        .setMaxIter(3)
                        .setGlobalBatchSize(40)
                        .setReg(.25)
                        .setLearningRate(.5)
                        .setOptions("numeric.age=none");
        Map<String, String> parameters = parameters(told.fit(train));
        // Three passes of ten rounds.
        assertThat(parameters)
                .containsEntry("cosine-steps", "30.0")
                .containsEntry("l2", "0.25")
                .containsEntry("learning-rate", "0.5")
                .containsKey("initial-bias");
        assertThat(parameters(logistic().setTune(true).setReg(0.).fit(train)))
                .doesNotContainKey("l2");
    }

    @Test
    void vectorsAreNotScaledButTheRestIsFound() throws Exception {
        LogisticRegression vectors = of(new LogisticRegression()).setLabelCol("rich");
        assertThat(parameters(vectors.setTune(true).fit(train)))
                .containsKeys("l2", "cosine-steps", "initial-bias", "learning-rate");
    }

    @Test
    void laterJobsOfTheProgramDoNotSearchAgain() {
        logistic().setTune(true).fit(train);
        assertThat(environment.getExecutionPlan())
                .contains("model data of logistic-regression")
                .doesNotContain("options of");
    }

    @Test
    void whatCannotBeSearchedIsRefused() {
        LogisticRegression going = logistic().setTune(true).setInitialModel("/none");
        assertThatThrownBy(() -> going.fit(train))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("tune is for a model that begins anew");
        LogisticRegression wrong = logistic().setTune(true).setLabelCol("rent");
        assertThatThrownBy(() -> wrong.fit(train))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("the search of param tune for options failed: ")
                .hasMessageContaining("label");
    }
}
