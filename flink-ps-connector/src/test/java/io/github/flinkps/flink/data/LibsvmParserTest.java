package io.github.flinkps.flink.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LibsvmParserTest {
    private static final LibsvmFormat BINARY = LibsvmFormat.of(Labels.BINARY);

    @Test
    void readsRowsOfAllShapes() throws RowProblem {
        List<String> lines =
                List.of(
                        "-1 3:1 11:0.5 14:-2e-1",
                        "+1 0:1",
                        "0",
                        "1.0\t9223372036854775807:1 \r",
                        "  1  7:0  # 8:1",
                        "",
                        "   \t",
                        "# 1 2:3",
                        "-1 5:1 2:1.0 4:01",
                        "1:0.25 1:1");
        assertThat(Rows.parse(String.join("\n", lines), BINARY))
                .containsExactly(
                        "0.0*1.0 3:1.0 11:0.5 14:-0.2",
                        "1.0*1.0 0:1.0",
                        "0.0*1.0",
                        "1.0*1.0 9223372036854775807:1.0",
                        "1.0*1.0 7:0.0",
                        "0.0*1.0 5:1.0 2:1.0 4:1.0",
                        "1.0*0.25 1:1.0");
    }

    @Test
    void leavesOutColumnsOfOnes() throws RowProblem {
        RowBatchBuilder builder = new RowBatchBuilder();
        byte[] line = "1 3:1 4:1.0 5:1".getBytes(StandardCharsets.UTF_8);
        BINARY.newParser().parse(line, 0, line.length, builder);
        RowBatch batch = builder.build();
        assertThat(batch.values()).isNull();
        assertThat(batch.weights()).isNull();
        assertThat(batch.keys()).containsExactly(3, 4, 5);
    }

    @Test
    void takesAnyFiniteLabelForRegression() throws RowProblem {
        LibsvmFormat real = LibsvmFormat.of(Labels.REAL);
        assertThat(Rows.parse("-1 1:1\n10.5 2:1", real))
                .containsExactly("-1.0 1:1.0", "10.5 2:1.0");
        assertThatThrownBy(() -> Rows.parse("1e39 1:1", real)).hasMessageContaining("label '1e39'");
    }

    @Test
    void takesWhateverStandsInPlaceOfALabelThatNobodyLooksAt() throws RowProblem {
        String lines = "99 1:1\n-2.5:x 2:1\n1e39 3:1\nred\t4:1\nnan\n7a 5:1\n# no row\n\n2:3 6:1";
        assertThat(Rows.parse(lines, LibsvmFormat.of(Labels.ANY)))
                .containsExactly(
                        "99.0 1:1.0",
                        "-2.5 2:1.0",
                        "NaN 3:1.0",
                        "NaN 4:1.0",
                        "NaN",
                        "NaN 5:1.0",
                        "2.0 6:1.0");
        for (String csv : List.of("0,1,2", "red,2", "1 1:1\n0,1")) {
            assertThatThrownBy(() -> Rows.parse(csv, LibsvmFormat.of(Labels.ANY)))
                    .hasMessageContaining("if this is csv, say so by its format");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "2 1:1 | 0 | label '2' is out of range: it must be 0, 1 or -1",
                "0.5 1:1 | 0 | label '0.5' is out of range",
                "yes 1:1 | 0 | label 'yes' is not a number",
                "nan 1:1 | 0 | label 'nan' is not a number",
                "y,age,c | 0 | label 'y,age,c' is not a number; if this is csv, say so by its"
                        + " format",
                "1x 1:1 | 1 | 'x' after the label is not understood",
                "1:-2 1:1 | 2 | row weight '-2' must be a finite number of at least 0",
                "1: 1:1 | 2 | row weight '' must be",
                "1:1e39 1:1 | 2 | row weight '1e39' must be",
                "1 -3:1 | 2 | feature index in '-3:1' is negative",
                "1 2:1 3 | 6 | '3' is not index:value",
                "1 2:1 :3 | 6 | ':3' is not index:value",
                "1 qid:7 2:1 | 2 | 'qid:7' is not index:value",
                "1 2:nan | 4 | value 'nan' is not finite",
                "1 2:-Infinity | 4 | value '-Infinity' is not finite",
                "1 2:1e39 | 4 | value '1e39' is beyond the range of float",
                "1 2:abc | 4 | value 'abc' is not a number",
                "1 2: 3:1 | 4 | value '' is not a number",
                "1 2:1.5z | 7 | 'z' after the value is not understood",
                "1 2:1#x | 5 | '#x' after the value is not understood",
                "1 9223372036854775808:1 | 2 | feature index '9223372036854775808' is too large",
                "1 5:1 6:1 5:2 | 10 | feature index 5 occurs twice in the row",
                "1 5:1 5:1 | 6 | feature index 5 occurs twice in the row",
            })
    void namesPlaceAndTokenOfWhatIsWrong(String line, int at, String message) {
        RowProblem problem = catchThrowableOfType(RowProblem.class, () -> Rows.parse(line, BINARY));
        assertThat(problem).as(line).isNotNull().hasMessageContaining(message);
        assertThat(problem.at()).isEqualTo(2 + at);
    }

    @Test
    void labelsHaveTheNamesOfTheFile() throws RowProblem {
        LibsvmFormat numbers =
                LibsvmFormat.of(Labels.BINARY.named(List.of(List.of("2"), List.of("4", "-3"))));
        assertThat(Rows.parse("2 0:1\n4.0:.5 0:1\n-3 0:1", numbers))
                .containsExactly("0.0*1.0 0:1.0", "1.0*0.5 0:1.0", "1.0*1.0 0:1.0");
        assertThatThrownBy(() -> Rows.parse("1 0:1", numbers))
                .hasMessage("label '1' is none of the labels 2, 4|-3");
        LibsvmFormat texts =
                LibsvmFormat.of(Labels.classes(3).named(List.of(List.of("b"), List.of("a"))));
        assertThat(Rows.parse("a 0:1\nb:2 0:1", texts))
                .containsExactly("1.0*1.0 0:1.0", "0.0*2.0 0:1.0");
        assertThatThrownBy(() -> Rows.parse("ab 0:1", texts))
                .hasMessage("label 'ab' is none of the labels b, a");
    }

    @Test
    void refusesIndicesBeyondTheFeatures() throws RowProblem {
        LibsvmFormat format = BINARY.withFeatures(123);
        assertThat(Rows.parse("1 0:1 122:1", format)).hasSize(1);
        assertThatThrownBy(() -> Rows.parse("1 123:1", format))
                .hasMessage(
                        "feature index 123 is beyond the 123 features (0 to 122), as --features,"
                                + " --key-bits or the model says");
    }

    @Test
    void shortensTokensAndShowsBytesThatDoNotPrint() {
        assertThatThrownBy(() -> Rows.parse("\u00e9" + "x".repeat(60) + " 1:1", BINARY))
                .hasMessage(
                        "label '\\xc3\\xa9"
                                + "x".repeat(38)
                                + "...' is not a number; --label-values names other labels");
    }
}
