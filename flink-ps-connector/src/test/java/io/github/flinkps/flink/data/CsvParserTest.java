package io.github.flinkps.flink.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.commons.codec.digest.MurmurHash3;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CsvParserTest {
    private static final CsvRecipe RECIPE =
            new CsvRecipe(
                    List.of("y", "age", "site", "w"),
                    false,
                    ",",
                    "y",
                    List.of(),
                    "w",
                    List.of(
                            CsvFeature.numeric("age", NumericScale.NONE),
                            CsvFeature.categorical("site"),
                            CsvFeature.cross(List.of("site", "age"))),
                    24,
                    List.of("?"));

    private static RowBatch parse(CsvRecipe recipe, Labels labels, String... lines)
            throws RowProblem {
        RowBatchBuilder out = new RowBatchBuilder();
        RowParser parser = recipe.rowFormat(labels, LibsvmFormat.ANY_INDEX).newParser();
        for (String line : lines) {
            byte[] bytes = ("junk" + line + "junk").getBytes(StandardCharsets.UTF_8);
            parser.parse(bytes, 4, bytes.length - 4, out);
        }
        return out.build();
    }

    private static RowBatch parse(String... lines) throws RowProblem {
        return parse(RECIPE, Labels.BINARY, lines);
    }

    /** murmur3_128 (x64, seed 0) by the reference implementation of Appleby, through mmh3. */
    @Test
    void keysAreThePublishedHash() {
        assertThat(new FeatureHash("hello", 64).begin().key())
                .isEqualTo(new FeatureHash("hello", 64).key(""));
        byte[] quick =
                "The quick brown fox jumps over the lazy dog".getBytes(StandardCharsets.UTF_8);
        assertThat(MurmurHash3.hash128x64(quick, 0, quick.length, 0)[0])
                .isEqualTo(0xe34bbc7bbc071b6cL);
        long site = new FeatureHash("site", 64).key("a.com");
        byte[] spelt = "site\0a.com".getBytes(StandardCharsets.UTF_8);
        assertThat(site).isEqualTo(MurmurHash3.hash128x64(spelt, 0, spelt.length, 0)[0]);
        assertThat(new FeatureHash("site", 20).key("a.com")).isEqualTo(site & 0xfffff);
    }

    @Test
    void everyFeatureIsAnEntryOfEveryRow() throws RowProblem {
        RowBatch rows = parse("1,30,a.com,2", "", "-1, 41.5 ,\"a.com\", .5 \r", "0,?,,1");
        assertThat(rows.labels()).containsExactly(1, 0, 0);
        assertThat(rows.weights()).containsExactly(2, .5f, 1);
        assertThat(rows.rowStarts()).containsExactly(0, 3, 6, 9);
        assertThat(rows.values()).containsExactly(30, 1, 1, 41.5f, 1, 1, 1, 1, 1);
        long[] keys = rows.keys();
        assertThat(keys[0]).isEqualTo(keys[3]).isNotEqualTo(keys[6]);
        assertThat(keys[1]).isEqualTo(keys[4]).isNotEqualTo(keys[7]);
        assertThat(keys[2]).isNotEqualTo(keys[5]).isNotEqualTo(keys[8]);
        assertThat(keys[6]).isEqualTo(new FeatureHash("age", 24).key(""));
        assertThat(keys[1]).isEqualTo(new FeatureHash("site", 24).key("a.com"));
        assertThat(keys[2]).isEqualTo(new FeatureHash("site*age", 24).key("a.com\00030"));
        assertThat(keys[8]).isEqualTo(new FeatureHash("site*age", 24).key("\0"));
    }

    @Test
    void quotesHoldDelimitersAndQuotes() throws RowProblem {
        RowBatch rows = parse("1,1,\"a,b\",1", "1,1, \"say \"\"hi\"\" \" ,1", "1,1,\"\",1");
        assertThat(rows.keys()[1]).isEqualTo(new FeatureHash("site", 24).key("a,b"));
        assertThat(rows.keys()[4]).isEqualTo(new FeatureHash("site", 24).key("say \"hi\" "));
        assertThat(rows.keys()[7]).isEqualTo(new FeatureHash("site", 24).key(""));
        assertThat(CsvRecipe.fields("a;\"b;\"\";\";;c", ";"))
                .containsExactly("a", "b;\";", "", "c");
        assertThat(CsvRecipe.fields("a\t\tb", "\t")).containsExactly("a", "", "b");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    1,2,3         | 4 | 3 fields instead of 4 columns
                    1,2,3,4,5     | 4 | 5 fields instead of 4 columns
                    1,old,a,1     | 6 | column 'age': 'old' is not a finite number; texts that stand for none are named by --missing
                    1,1e99,a,1    | 6 | column 'age': '1e99' is beyond the range of float
                    1,1x,a,1      | 6 | column 'age': '1x' is not a finite number
                    2,1,a,1       | 4 | label column 'y': '2' is out of range: it must be 0, 1 or -1; --label-values names other labels
                    ,1,a,1        | 4 | label column 'y': no label
                    ?,1,a,1       | 4 | label column 'y': no label, which '?' stands for
                    1,1,a,-1      | 10 | column 'w': '-1' is out of range for a weight
                    1,1,"a,1      | 8 | the quote is left open
                    1,1,"a"b,1    | 11 | text stands behind the quote that closes
                    """)
    void whatIsWrongIsSaid(String line, int at, String message) {
        assertThatThrownBy(() -> parse(line))
                .isInstanceOfSatisfying(
                        RowProblem.class, problem -> assertThat(problem.at()).isEqualTo(at))
                .hasMessageContaining(message);
    }

    @Test
    void labelsMayBeTexts() throws RowProblem {
        CsvRecipe recipe =
                RECIPE.withLabelValues(List.of(List.of("no", "no."), List.of("yes", "yes.")));
        assertThat(parse(recipe, Labels.BINARY, "yes,1,a,1", "no.,1,a,1").labels())
                .containsExactly(1, 0);
        assertThatThrownBy(() -> parse(recipe, Labels.BINARY, "maybe,1,a,1"))
                .hasMessageContaining("'maybe' is none of the labels no|no., yes|yes.");
        RowBatch scored = parse(RECIPE.withoutLabel(), Labels.BINARY, "any,1,a,heavy");
        assertThat(scored.labels()[0]).isNaN();
        assertThat(scored.weights()).as("not looked at either").isNull();
        assertThatThrownBy(() -> parse(recipe, Labels.BINARY, ",1,a,1"))
                .hasMessageContaining("label column 'y': no label");
    }

    @Test
    void bucketsAreCategories() throws RowProblem {
        NumericScale scale =
                new NumericScale(NumericTransform.BUCKET, 0, 1, List.of(10.0, 20.0, 30.0));
        assertThat(List.of(scale.bucket(9), scale.bucket(10), scale.bucket(29), scale.bucket(30)))
                .containsExactly(0, 1, 2, 3);
        CsvRecipe recipe = RECIPE.withFeatures(List.of(CsvFeature.numeric("age", scale)));
        RowBatch rows = parse(recipe, Labels.BINARY, "1,12,a,1", "1,19.9,a,1", "1,20,a,1");
        assertThat(rows.values()).isNull();
        assertThat(rows.keys()[0]).isEqualTo(rows.keys()[1]).isNotEqualTo(rows.keys()[2]);
    }

    @Test
    void columnsMustBeThereOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RECIPE.withColumns(List.of("y", "age", "age", "w"), false))
                .withMessageContaining("column 'age' is there twice");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RECIPE.withColumns(List.of("y", "age", "w"), false))
                .withMessageContaining("there is no column 'site' among");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RECIPE.withFeatures(List.of(CsvFeature.categorical("y"))))
                .withMessageContaining("both label or weight and feature");
    }

    @Test
    void severalColumnsMayHaveNoNameIfNoneIsUsed() {
        List<String> names = List.of("", "y", "age", "site", "w", "");
        assertThat(RECIPE.withColumns(names, false).columns()).isEqualTo(names);
        CsvRecipe unlabelled = RECIPE.withoutLabel();
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                unlabelled
                                        .withColumns(names, false)
                                        .withFeatures(List.of(CsvFeature.categorical(""))))
                .withMessageContaining("column '' is there twice");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ";;", "\"", "\n", "\r", "\u00e9"})
    void someCharactersDoNotDelimit(String delimiter) {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                new CsvRecipe(
                                        List.of("y"),
                                        true,
                                        delimiter,
                                        "y",
                                        List.of(),
                                        null,
                                        List.of(),
                                        24,
                                        List.of()))
                .withMessageContaining("delimiter must be one character of ASCII");
    }

    @Test
    void aRecipeIsReadAsItWasWritten() {
        assertThat(RowRecipe.fromJson(RECIPE.toJson())).isEqualTo(RECIPE);
        LibsvmRecipe libsvm =
                new LibsvmRecipe(
                        NumericTransform.STANDARD,
                        Map.of(7L, new NumericScale(NumericTransform.STANDARD, .1, 3, List.of())),
                        24,
                        List.of(List.of("no", "never"), List.of("yes")));
        assertThat(RowRecipe.fromJson(libsvm.toJson())).isEqualTo(libsvm);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RowRecipe.fromJson("{\"format\":\"csv\"}"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RowRecipe.fromJson(""))
                .withMessageContaining("the program that trained it gave no recipe");
    }
}
