package io.github.flinkps.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.UpdateInput;
import io.github.flinkps.flink.algorithm.TrainingModelFactory;
import io.github.flinkps.flink.data.FeatureHash;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.data.RowProblem;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.table.connector.ModelTableFactory;
import io.github.flinkps.flink.testing.CountingModel;
import io.github.flinkps.server.update.NumberRange;
import io.github.flinkps.server.update.UpdateFunction;
import io.github.flinkps.server.update.UpdateFunctionFactory;
import io.github.flinkps.server.update.UpdateFunctions;
import io.github.flinkps.server.update.UpdateOption;
import io.github.flinkps.server.update.UpdateOptions;
import io.github.flinkps.testing.TestingServices;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericMapData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.FloatType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelSpecTest {
    private static ModelSpec spec(String columns, String options) {
        List<ModelColumn> all = new ArrayList<>();
        for (String column : columns.split("; ")) {
            int space = column.indexOf(' ');
            all.add(ModelColumn.of(column.substring(0, space), column.substring(space + 1)));
        }
        Map<String, String> given = new HashMap<>();
        for (String option : options.isEmpty() ? new String[0] : options.split(" & ")) {
            int equals = option.indexOf('=');
            given.put(option.substring(0, equals), option.substring(equals + 1));
        }
        return ModelSpec.of("ads.ctr", new ModelDefinition("", all, given));
    }

    private static RowBatch rows(RowEncoder encoder, Object... values) throws RowProblem {
        RowBatchBuilder builder = new RowBatchBuilder();
        encoder.extract(GenericRowData.of(values), builder);
        return builder.build();
    }

    private static long key(String column, String value) {
        return new FeatureHash(column, 64).key(value);
    }

    private static StringData text(String text) {
        return StringData.fromString(text);
    }

    @Test
    void numbersMustFitAFloat() {
        RowEncoder encoder =
                spec("clicked INT; price DOUBLE", "label=clicked & numeric.price=none")
                        .trainingRows();
        assertThatThrownBy(() -> rows(encoder, 1, 3.2e307))
                .hasMessageContaining("column 'price': 3.2E307 is beyond the range of float");
        for (double value : new double[] {Double.NaN, Double.NEGATIVE_INFINITY}) {
            assertThatThrownBy(() -> rows(encoder, 1, value))
                    .hasMessageContaining("column 'price': " + value + " is not a finite number");
        }
    }

    @Test
    void columnsThatAreNotLabelOrWeightAreFeatures() throws RowProblem {
        ModelSpec spec =
                spec(
                        "clicked INT; price DOUBLE; site STRING; words ARRAY<STRING>;"
                                + " ids ARRAY<BIGINT>; dense ARRAY<FLOAT>; w DOUBLE",
                        "label=clicked & weight=w & numeric.price=standard(10, 4) & epochs=3");
        assertThat(spec.model().name()).isEqualTo("logistic-regression");
        assertThat(spec.jobOptions().get(PsOptions.EPOCHS)).isEqualTo(3);
        assertThat(spec.label().name()).isEqualTo("clicked");
        Object[] features = {
            12.0,
            text("a.org"),
            new GenericArrayData(new Object[] {text("x"), null, text("y")}),
            new GenericArrayData(new long[] {7, -1}),
            new GenericArrayData(new float[] {.5f, 2f})
        };
        Object[] all = new Object[7];
        all[0] = 1;
        System.arraycopy(features, 0, all, 1, 5);
        all[6] = 2.5;
        RowBatch trained = rows(spec.trainingRows(), all);
        assertThat(trained.labels()).containsExactly(1f);
        assertThat(trained.weights()).containsExactly(2.5f);
        assertThat(trained.keys())
                .containsExactly(
                        key("price", "#"),
                        key("site", "a.org"),
                        key("words", "x"),
                        key("words", "y"),
                        7,
                        -1,
                        key("dense", "#0"),
                        key("dense", "#1"));
        assertThat(trained.values()).containsExactly(.5f, 1f, 1f, 1f, 1f, 1f, .5f, 2f);
        RowBatch scored = rows(spec.featureRows(), features);
        assertThat(scored.keys()).isEqualTo(trained.keys());
        assertThat(scored.values()).isEqualTo(trained.values());
    }

    @Test
    void nullIsAValueOfItsOwn() throws RowProblem {
        ModelSpec spec = spec("y INT; n INT; t STRING; a ARRAY<STRING>; b BOOLEAN", "label=y");
        RowBatch batch = rows(spec.trainingRows(), 0, null, null, null, null);
        assertThat(batch.keys()).containsExactly(key("n", ""), key("t", ""), key("b", ""));
        assertThat(batch.values()).isNull();
        assertThatThrownBy(() -> rows(spec.trainingRows(), null, 1, null, null, true))
                .isInstanceOf(RowProblem.class)
                .hasMessage("label column 'y': NULL is no label");
        assertThatThrownBy(() -> rows(spec.trainingRows(), 2, 1, null, null, true))
                .hasMessage(
                        "label column 'y': 2 is out of range for a label: it must be 0, 1 or -1;"
                                + " label-values names other labels");
    }

    @Test
    void numbersCanBeCategoriesOrBuckets() throws RowProblem {
        ModelSpec spec =
                spec(
                        "y BOOLEAN; user BIGINT; age INT; m MAP<STRING, FLOAT>",
                        "label=y & categorical=user & numeric.age=bucket(18, 65)");
        RowBatch batch =
                rows(spec.trainingRows(), true, 42L, 30, new GenericMapData(Map.of(text("k"), 3f)));
        assertThat(batch.labels()).containsExactly(1f);
        assertThat(batch.keys())
                .containsExactly(key("user", "42"), key("age", "#1"), key("m", "k"));
        assertThat(batch.values()).containsExactly(1f, 1f, 3f);
    }

    @Test
    void keysOfADenseTableArePlaces() throws RowProblem {
        ModelSpec spec =
                spec(
                        "y INT; a DOUBLE; b INT; c ARRAY<DOUBLE>",
                        "label=y & features=5 & numeric=none");
        RowBatch batch =
                rows(spec.trainingRows(), 1, .5, null, new GenericArrayData(new double[] {3, 4}));
        assertThat(batch.keys()).containsExactly(0, 2, 3);
        assertThat(batch.values()).containsExactly(.5f, 3f, 4f);
    }

    @Test
    void textsCanBeLabels() throws RowProblem {
        ModelSpec spec =
                spec(
                        "y STRING; x FLOAT",
                        "algorithm=softmax & classes=3 & label=y & label-values=a;b;c");
        assertThat(rows(spec.trainingRows(), text("b"), 1f).labels()).containsExactly(1f);
        assertThatThrownBy(() -> rows(spec.trainingRows(), text("d"), 1f))
                .hasMessage("label column 'y': 'd' is none of label-values a, b, c");
        assertThat(spec.labels().names()).containsExactly(List.of("a"), List.of("b"), List.of("c"));
        assertThat(spec.hasTextLabels()).isTrue();
    }

    @Test
    void numbersCanBeNamesOfLabels() throws RowProblem {
        String columns = "y INT; x FLOAT";
        ModelSpec spec =
                spec(columns, "algorithm=softmax & classes=3 & label=y & label-values=7;-1;2.5");
        assertThat(spec.hasTextLabels()).isFalse();
        RowEncoder encoder = spec.trainingRows(List.of(new DoubleType(), new FloatType()));
        assertThat(rows(encoder, 7.0, 1f).labels()).containsExactly(0f);
        assertThat(rows(encoder, -1.0, 1f).labels()).containsExactly(1f);
        assertThat(rows(encoder, 2.5, 1f).labels()).containsExactly(2f);
        for (double other : new double[] {0, 3, 7.5, Double.NaN}) {
            assertThatThrownBy(() -> rows(encoder, other, 1f))
                    .hasMessage(
                            "label column 'y': " + other + " is none of label-values 7, -1, 2.5");
        }
        RowEncoder binary = spec(columns, "label=y & label-values=16777216;2").trainingRows();
        assertThat(rows(binary, 2, 1f).labels()).containsExactly(1f);
        assertThat(rows(binary, 1 << 24, 1f).labels()).containsExactly(0f);
        assertThatThrownBy(() -> rows(binary, (1 << 24) + 1, 1f))
                .hasMessageContaining("16777217 is none of label-values");
    }

    /** Class 3 of 3 once was class 0 here, and predicted as such. */
    @Test
    void classesCountedFromOneAreRefusedUnlessNamed() throws RowProblem {
        String softmax = "algorithm=softmax & classes=3 & label=y";
        RowEncoder encoder = spec("y INT; x FLOAT", softmax).trainingRows();
        assertThat(rows(encoder, 0, 1f).labels()).containsExactly(0f);
        assertThat(rows(encoder, 2, 1f).labels()).containsExactly(2f);
        assertThatThrownBy(() -> rows(encoder, 3, 1f))
                .hasMessage(
                        "label column 'y': 3 is out of range for a label: it must be a class from"
                                + " 0 to 2; label-values names other labels, such as those from"
                                + " 1 to 3");
        RowEncoder named = spec("y INT; x FLOAT", softmax + " & label-values=1;2;3").trainingRows();
        assertThat(rows(named, 3, 1f).labels()).containsExactly(2f);
    }

    @Test
    void fieldsAndPairsFollowFromColumns() throws RowProblem {
        ModelSpec deep = spec("y INT; a STRING; b DOUBLE", "label=y & algorithm=wide-and-deep");
        assertThat(deep.model().options()).containsEntry("fields", "2");
        ModelSpec ratings =
                spec("r FLOAT; u BIGINT; i STRING", "label=r & algorithm=matrix-factorization");
        assertThat(rows(ratings.trainingRows(), 3.5f, 7L, text("x")).keys())
                .containsExactly(key("u", "7"), key("i", "x"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "y INT; x FLOAT | label=z | option 'label' names column 'z', which is none of y, x",
                "y INT; x FLOAT | lable=y | needs the option 'label', the column that is learned",
                "y INT; x FLOAT | label=y & optimiser=adam | there is no option 'optimiser'",
                "y INT; x FLOAT | label=y & optimizer=adan | unknown update function 'adan'; known",
                "y INT; x FLOAT | label=y & epochs=few | option 'epochs'",
                "y INT; x FLOAT | label=y & learning-rate=fast | learning-rate must be a number",
                "y INT; x FLOAT | label=y & algorithm=tree | unknown algorithm 'tree'; there are",
                "y INT; x FLOAT | label=y & numeric=standard | 'numeric' must be log, log(mean,"
                        + " deviation) or standard(",
                "y INT; x FLOAT | label=y & numeric=log(1, 0) | with a deviation above 0",
                "y INT; x FLOAT | label=y & numeric.z=log | option 'numeric.z': 'z' is no feature",
                "y INT; x FLOAT | label=y & categorical=x | 'x', which is no whole number but"
                        + " FLOAT",
                "y INT; x DATE | label=y | column 'x' of type DATE cannot be a feature",
                "y DATE; x INT | label=y | label column 'y' must be a number, BOOLEAN or text",
                "y STRING; x INT | label=y | option 'label-values' must name its 2 values",
                "y INT; x FLOAT | label=y & label-values=1;2;3 | 'y' is a number: option"
                        + " 'label-values' must name its 2 values",
                "y INT; x FLOAT | label=y & label-values=1;1.0 | 'label-values': '1.0' is there for"
                        + " two labels",
                "y INT; x FLOAT | label=y & label-values=a;1 | names 'a', which is no number",
                "y INT; x FLOAT | label=y & label-values=1;16777217000 | '16777217000', which is no"
                        + " number, or none between -16777216 and 16777216",
                "y BOOLEAN; x FLOAT | label=y & label-values=1;2 | is for classes that are texts or"
                        + " numbers; 'y' is BOOLEAN",
                "y INT; x FLOAT | label=y & label-values=1;2 & algorithm=linear-regression | 'y' is"
                        + " INT: linear-regression learns a finite number",
                "y INT; x FLOAT | label=y & label-values=1;2 & algorithm=softmax & classes=3 |"
                        + " must name its 3 values, different ones, separated by semicolons;"
                        + " option 'classes' says how many there are",
                "y INT; x FLOAT | label=y & weight=y | column 'y' is both label and weight",
                "y INT; x STRING | label=y & features=3 | option 'features' makes a dense table",
                "y INT; a FLOAT; b FLOAT; c INT | label=y & features=2 | option 'features' is 2,"
                        + " but 3 columns are features",
                "y INT; x STRING | label=y & key-bits=20 | 'key-bits' is 20, but column 'x' is"
                        + " hashed to 'hash-bits' = 64 bits",
                "y INT; a STRING; b STRING | label=y & algorithm=wide-and-deep & fields=5 |"
                        + " option 'fields' must be 2, the number of features",
                "y INT; x ARRAY<INT> | label=y & algorithm=wide-and-deep | wants columns of one"
                        + " value",
                "y INT; x INT | label=y & algorithm=matrix-factorization | must be two features",
                "u INT; i INT | algorithm=implicit-matrix-factorization & items=9 | option 'items'"
                        + " is of rows of indices, but columns are hashed: leave it out",
                "u INT; i INT | algorithm=implicit-matrix-factorization & first-item=9 | option"
                        + " 'first-item' is of rows of indices",
                "u INT; i INT | algorithm=implicit-matrix-factorization & item=9 |"
                    + " final-rate-share, guarantee, hash-bits, idle-timeout, init-seed, init-std,"
                    + " initial-accumulator, inverse-sqrt-steps, keep-cuts",
                "y INT | label=y | no column is left to be a feature",
                "y INT; x FLOAT | label=y & hash-bits=65 | option 'hash-bits' must be between 1 and"
                        + " 64",
            })
    void mistakesAreNamed(String columns, String options, String message) {
        assertThatThrownBy(() -> spec(columns, options))
                .isInstanceOf(ValidationException.class)
                .hasMessageStartingWith("model ads.ctr: ")
                .hasMessageContaining(message);
    }

    /** Declares an option under the name of one of jobs. */
    public static final class Clashing implements UpdateFunctionFactory {
        @Override
        public String name() {
            return "mine";
        }

        @Override
        public String description() {
            return "as sgd";
        }

        @Override
        public UpdateInput input() {
            return UpdateInput.GRADIENT_MEAN;
        }

        @Override
        public List<UpdateOption> options() {
            return List.of(new UpdateOption("epochs", 2, NumberRange.above(0), "its own"));
        }

        @Override
        public UpdateFunction create(UpdateOptions options) {
            return UpdateFunctions.factory("add").create(options);
        }
    }

    @Test
    void anOptionIsNotTakenForOneOfTheJob(@TempDir Path folder) throws Exception {
        TestingServices.with(
                folder,
                UpdateFunctionFactory.class,
                Clashing.class,
                () -> {
                    String columns = "y INT; x FLOAT";
                    assertThatThrownBy(() -> spec(columns, "label=y & optimizer=mine & epochs=7"))
                            .isInstanceOf(ValidationException.class)
                            .hasMessage(
                                    "model ads.ctr: optimizer 'mine' cannot be used here: a table"
                                            + " has another option 'epochs', so its own needs"
                                            + " another name");
                    return spec(columns, "label=y & epochs=7");
                });
    }

    @Test
    void aModelMayHaveNoOptimizer(@TempDir Path folder) throws Exception {
        TestingServices.with(
                folder,
                TrainingModelFactory.class,
                CountingModel.Factory.class,
                () -> {
                    String columns = "y INT; x FLOAT";
                    String counting = "label=y & algorithm=counting";
                    assertThatThrownBy(() -> spec(columns, counting + " & optimizer=sgd"))
                            .isInstanceOf(ValidationException.class)
                            .hasMessageContaining(
                                    "there is no option 'optimizer' with algorithm counting;");
                    return spec(columns, counting);
                });
    }

    /** Tools that ask the factory learn of each option that a definition may have. */
    @Test
    void theFactoryListsWhatDefinitionsTake() {
        Set<String> listed =
                new ModelTableFactory()
                        .optionalOptions().stream()
                                .map(ConfigOption::key)
                                .collect(Collectors.toSet());
        assertThat(listed)
                .contains("label", "hash-bits", "factors", "hidden", "epochs", "prefetch")
                .contains("catalog-servers", "optimizer", "learning-rate", "beta1")
                .doesNotContain("model-root", "model-name", "initial-model", "items");
        assertThatThrownBy(() -> spec("y INT; x FLOAT", "label=y & optimiser=adam"))
                .satisfies(
                        refused -> {
                            for (ConfigOption<?> option : ModelOptions.OF_JOBS) {
                                assertThat(refused).hasMessageContaining(option.key());
                                assertThat(listed).contains(option.key());
                            }
                        });
    }
}
