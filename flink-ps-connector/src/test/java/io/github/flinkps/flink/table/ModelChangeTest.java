package io.github.flinkps.flink.table;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.api.ValidationException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelChangeTest {
    private static ModelDefinition definition(String text) {
        String[] parts = text.split(" & ");
        List<ModelColumn> columns = new ArrayList<>();
        for (String column : parts[0].split(", ")) {
            int space = column.indexOf(' ');
            columns.add(ModelColumn.of(column.substring(0, space), column.substring(space + 1)));
        }
        Map<String, String> options = new HashMap<>();
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            options.put(parts[i].substring(0, equals), parts[i].substring(equals + 1));
        }
        return new ModelDefinition("", columns, options);
    }

    private static void check(String before, String after) {
        ModelChange.check("m", definition(before), ModelSpec.of("m", definition(after)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "y INT, x INT & label=y | y INT, x INT NOT NULL, z STRING & label=y",
                "y INT, x INT, z STRING & label=y | y INT, z STRING & label=y",
                "y INT, x INT & label=y | x INT, y BIGINT & label=y",
                "y INT, x INT & label=y | y INT, x INT & label=y & epochs=3 & optimizer=ftrl &"
                        + " l1=1",
                "y INT, x INT & label=y | y INT, x INT & label=y & numeric=log & on-bad-row=SKIP",
                "y INT, x INT & label=y | y INT, x INT, z INT & label=y & numeric.z=none",
                "y INT, a INT, b INT & label=y & algorithm=wide-and-deep | y INT, a INT, b INT &"
                        + " label=y & algorithm=wide-and-deep & epochs=2",
                "y INT, x INT & label=y & algorithm=factorization-machine & task=regression |"
                        + " y INT, x INT & label=y & algorithm=factorization-machine &"
                        + " task=regression & label-mean=0 & label-unit=1.0",
            })
    void whatWasLearnedMeansTheSame(String before, String after) {
        check(before, after);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "y INT, x INT & label=y | y INT, x DOUBLE & label=y | the type of feature 'x'",
                "y INT, x INT, z INT & label=y | y INT, x INT, z INT & label=z | option 'label'",
                "y INT, x INT & label=y | y INT, x INT & label=y & hash-bits=9 | 'hash-bits'",
                "y INT, x INT & label=y & algorithm=factorization-machine & task=regression |"
                        + " y INT, x INT & label=y & algorithm=factorization-machine &"
                        + " task=regression & label-unit=2 | option 'label-unit', 1.0 then,",
                "y INT, x INT & label=y & algorithm=factorization-machine | y INT, x INT & label=y"
                        + " & algorithm=factorization-machine & task=regression | 'task'",
                "y INT, x INT & label=y | y INT, x INT & label=y & categorical=x | 'categorical'",
                "y INT, x INT & label=y | y INT, x INT & label=y & numeric=none | 'numeric'",
                "y INT, x INT & label=y | y INT, x INT & label=y & numeric.x=none | 'numeric.x'",
                "y INT, x INT & label=y | y INT, x INT & label=y & algorithm=linear-regression |"
                        + " option 'algorithm'",
                "y INT, x INT & label=y | y INT, x INT & label=y & features=1 | their shape",
                "y INT, x INT & label=y & features=2 | y INT, x INT, z INT & label=y & features=2"
                        + " | a place for each",
                "y INT, a INT & label=y & algorithm=deep-fm | y INT, a INT, b INT & label=y &"
                        + " algorithm=deep-fm | a place for each",
                "y INT, a INT & label=y & algorithm=factorization-machine | y INT, a INT & label=y"
                        + " & algorithm=factorization-machine & factors=99 | their shape",
            })
    void whatWasLearnedWouldMeanSomethingElse(String before, String after, String message) {
        assertThatThrownBy(() -> check(before, after))
                .isInstanceOf(ValidationException.class)
                .hasMessageStartingWith("model m: ")
                .hasMessageContaining(message)
                .hasMessageContaining("CALL sys.reset_model('m')");
    }
}
