package io.github.flinkps.flink.ml;

import static org.apache.flink.table.api.Expressions.$;
import static org.apache.flink.table.api.Expressions.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.flink.ml.linalg.DenseVector;
import org.apache.flink.ml.linalg.SparseVector;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CollectionUtil;
import org.junit.jupiter.api.Test;

class VectorFunctionsITCase {
    private final StreamTableEnvironment tables =
            StreamTableEnvironment.create(StreamExecutionEnvironment.getExecutionEnvironment());

    private static List<Row> rows(Table table) {
        return CollectionUtil.iteratorToList(table.execute().collect());
    }

    @Test
    void arraysBecomeVectorsAndVectorsArrays() {
        Table arrays =
                tables.sqlQuery(
                        "SELECT CASE WHEN n = 1 THEN ARRAY[1e0, 0e0, -2.5e0] END AS a"
                                + " FROM (VALUES (1), (2)) AS t (n)");
        Table vectors = arrays.select(call(new ArrayToVector(), $("a")).as("v"));
        assertThat(rows(vectors))
                .containsExactlyInAnyOrder(
                        Row.of(new DenseVector(new double[] {1, 0, -2.5})), Row.of((Object) null));
        assertThat(rows(vectors.select(call(new VectorToArray(), $("v")).as("a"))))
                .containsExactlyInAnyOrder(
                        Row.of((Object) new Double[] {1., 0., -2.5}), Row.of((Object) null));
    }

    @Test
    void arraysOfOtherNumbersAreTakenToo() {
        Table vectors =
                tables.sqlQuery("SELECT ARRAY[1, 2] AS a")
                        .select(call(new ArrayToVector(), $("a")));
        assertThat(rows(vectors)).containsExactly(Row.of(new DenseVector(new double[] {1, 2})));
    }

    @Test
    void aSparseVectorHasZerosInItsArray() {
        assertThat(new VectorToArray().eval(new SparseVector(3, new int[] {1}, new double[] {4})))
                .containsExactly(0., 4., 0.);
    }

    @Test
    void whatIsNoVectorOrNoArrayOfNumbersIsRefused() {
        Table table = tables.sqlQuery("SELECT 'text' AS t");
        assertThatThrownBy(() -> table.select(call(new VectorToArray(), $("t"))))
                .isInstanceOf(ValidationException.class)
                .hasStackTraceContaining("a Vector is needed, not");
        assertThatThrownBy(() -> table.select(call(new ArrayToVector(), $("t"))))
                .isInstanceOf(ValidationException.class);
        assertThatThrownBy(() -> new ArrayToVector().eval(new Double[] {1., null}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a Vector cannot be made of an array with NULL, which is at 1");
    }
}
