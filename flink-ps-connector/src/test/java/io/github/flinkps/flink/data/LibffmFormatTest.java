package io.github.flinkps.flink.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LibffmFormatTest {
    private static final LibffmFormat FORMAT = new LibffmFormat(Labels.BINARY, 3);

    @Test
    void keysTellIndexAndField() throws RowProblem {
        assertThat(Rows.parse("1 0:7:1 2:7:.5 1:0:1\n\n-1:2 2:3:4 # 1:1:1\n0", FORMAT))
                .containsExactly("1.0*1.0 21:1.0 23:0.5 1:1.0", "0.0*2.0 11:4.0", "0.0*1.0");
    }

    @Test
    void severalEntriesOfOneFieldAndEvenOfOneFeatureAreRead() throws RowProblem {
        assertThat(Rows.parse("1 1:4:1 1:2:1 1:4:2", FORMAT))
                .containsExactly("1.0 13:1.0 7:1.0 13:2.0");
    }

    @Test
    void indicesAreKeysWhereFieldsDoNotMatter() throws RowProblem {
        assertThat(Rows.parse("1 9:7:1 2:7:.5", new LibffmFormat(Labels.BINARY, 0)))
                .containsExactly("1.0 7:1.0 7:0.5");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 3:1:1 | field 3 is beyond the 3 fields (0 to 2), as --fields or the model says",
                "1 1:1 | '1' is not field:index:value",
                "1 1:1:x | value 'x' is not a number",
                "1 1:1:1:1 | ':1' after the value is not understood",
                "1 -1:1:1 | feature index in '-1:1:1' is negative",
                "1 1:9223372036854775807:1 | feature index 9223372036854775807 is too large",
                "2 1:1:1 | label '2'"
            })
    void refusesWhatIsNone(String line, String part) {
        assertThatThrownBy(() -> Rows.parse(line, FORMAT)).hasMessageContaining(part);
    }

    @Test
    void otherFormatsNameIt() {
        for (String line : List.of("1 0:1:1", "1 0:1:1 2:3:4")) {
            assertThatThrownBy(() -> Rows.parse(line, LibsvmFormat.of(Labels.BINARY)))
                    .hasMessageContaining("if this is libffm, say so by its format");
        }
    }

    @Test
    void travelsWithTheModel() {
        LibffmRecipe recipe = new LibffmRecipe(3, List.of(List.of("a"), List.of("b", "c")));
        assertThat(RowRecipe.fromJson(recipe.toJson())).isEqualTo(recipe);
        assertThat(recipe.format()).isEqualTo("libffm");
    }
}
