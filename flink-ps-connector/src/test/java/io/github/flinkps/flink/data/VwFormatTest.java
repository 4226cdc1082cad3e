package io.github.flinkps.flink.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VwFormatTest {
    private static final int BITS = 20;
    private static final VwFormat FORMAT = new VwFormat(Labels.BINARY, BITS);

    private static String entry(String namespace, String feature, double value) {
        return new FeatureHash(namespace, BITS).key(feature) + ":" + (float) value;
    }

    private static String row(String head, String... entries) {
        StringJoiner row = new StringJoiner(" ").add(head);
        List.of(entries).forEach(row::add);
        return row.toString();
    }

    /** The example of Vowpal Wabbit's wiki, and other ways to write rows. */
    @Test
    void readsRowsOfAllShapes() throws RowProblem {
        String lines =
                """
                1 1.0 zebra|MetricFeatures:3.28 height:1.5 length:2.0 |Says black with white |Other hooves
                -1 | a b:2
                1 'tag | a
                1 0.5 'tag |a:2 b:-1 |c
                -1 2 |x:0 y

                1 |größe 1:1 1:1
                1 |a b|c b\r
                """;
        assertThat(Rows.parse(lines, FORMAT))
                .containsExactly(
                        row(
                                "1.0*1.0",
                                entry("MetricFeatures", "height", 1.5f * 3.28f),
                                entry("MetricFeatures", "length", 2f * 3.28f),
                                entry("Says", "black", 1),
                                entry("Says", "with", 1),
                                entry("Says", "white", 1),
                                entry("Other", "hooves", 1)),
                        row("0.0*1.0", entry("", "a", 1), entry("", "b", 2)),
                        row("1.0*1.0", entry("", "a", 1)),
                        row("1.0*0.5", entry("a", "b", -2)),
                        row("0.0*2.0", entry("x", "y", 0)),
                        row("1.0*1.0", entry("größe", "1", 1), entry("größe", "1", 1)),
                        row("1.0*1.0", entry("a", "b", 1), entry("c", "b", 1)));
    }

    @Test
    void rowsThatAreOnlyScoredNeedNoLabel() throws RowProblem {
        VwFormat any = new VwFormat(Labels.ANY, BITS);
        assertThat(Rows.parse("|a b\n'tag |a b\n1|a b\nred |a b\n5 |a b", any))
                .containsExactly(
                        row("NaN", entry("a", "b", 1)),
                        row("NaN", entry("a", "b", 1)),
                        row("NaN", entry("a", "b", 1)),
                        row("NaN", entry("a", "b", 1)),
                        row("5.0", entry("a", "b", 1)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "1 a b; the row has no |, after which features begin",
                "|a b; the row has no label",
                "1|a b; the row has no label before its tag, or no blank between label and |",
                "2 |a b; label '2'",
                "1 x |a b; row weight 'x' must be",
                "1 -1 |a b; row weight '-1' must be",
                "1 1 0.5 |a b; initial predictions are not supported",
                "1 1 0.5 'tag |a b; initial predictions are not supported",
                "1 |a :3; feature ':3' has no name",
                "1 |a b:x; value 'x' is not a number",
                "1 |a b:nan; value 'nan' is not finite",
                "1 |a:x b; value 'x' is not a number",
                "1 |a:1e30 b:1e30; times its namespace's 1.0E30 is beyond the range of float"
            })
    void refusesWhatIsNone(String line, String part) {
        assertThatThrownBy(() -> Rows.parse(line, FORMAT)).hasMessageContaining(part);
    }

    @Test
    void otherFormatsNameIt() {
        for (String line : List.of("1 |a b:1", "1 |a b")) {
            assertThatThrownBy(() -> Rows.parse(line, LibsvmFormat.of(Labels.BINARY)))
                    .hasMessageContaining("if this is the format of Vowpal Wabbit, say so");
        }
    }

    @Test
    void travelsWithTheModel() {
        VwRecipe recipe = new VwRecipe(BITS, List.of(List.of("a"), List.of("b", "c")));
        assertThat(RowRecipe.fromJson(recipe.toJson())).isEqualTo(recipe);
        assertThat(recipe.format()).isEqualTo("vw");
    }
}
