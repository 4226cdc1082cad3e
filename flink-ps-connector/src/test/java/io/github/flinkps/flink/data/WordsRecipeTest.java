package io.github.flinkps.flink.data;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WordsRecipeTest {
    @TempDir private Path folder;

    private InputScan scan(String text) throws IOException {
        Path file = folder.resolve("text");
        Files.writeString(file, text);
        return new InputScan(List.of(file.toString()), RowSelection.all(), OnBadRow.FAIL, UTF_8, 2);
    }

    private static RowBatch parse(WordsRecipe recipe, String line) throws RowProblem {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        RowBatchBuilder builder = new RowBatchBuilder();
        recipe.rowFormat(Labels.REAL, 10).newParser().parse(bytes, 0, bytes.length, builder);
        return builder.build();
    }

    @Test
    void learnsTheFrequentWords() throws IOException {
        InputScan scan = scan("a rose is  a rose\r\n\n is\ta größe\nzwei größe once\nzwei");
        WordsRecipe recipe = scan.words(2);
        assertThat(recipe.words()).containsExactly("a", "größe", "is", "rose", "zwei");
        assertThat(recipe.minCount()).isEqualTo(2);
        assertThat(RowRecipe.fromJson(recipe.toJson())).isEqualTo(recipe);
        assertThat(scan.words(3).words()).containsExactly("a");
        assertThatThrownBy(() -> scan.words(4))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("no word occurs 4 times");
    }

    @Test
    void aLineIsARowOfItsKnownWords() throws RowProblem {
        WordsRecipe recipe = new WordsRecipe(List.of("to", "be", "größe"), 1);
        RowBatch rows = parse(recipe, "  to be\tor not größe to ");
        assertThat(rows.rows()).isEqualTo(1);
        assertThat(rows.rowStart(1)).isEqualTo(4);
        assertThat(rows.keys()).startsWith(0, 1, 2, 0);
        assertThat(rows.values()).isNull();
        assertThat(rows.labels()[0]).as("a line of text has no label").isNaN();
        assertThat(parse(recipe, "or not").rows()).isZero();
        assertThat(parse(recipe, "").rows()).isZero();
    }

    @Test
    void cutsLongLines() throws RowProblem {
        WordsRecipe recipe = new WordsRecipe(List.of("x"), 1);
        RowBatch rows = parse(recipe, "x ".repeat(2 * WordsRecipe.LONGEST + 1));
        assertThat(rows.rows()).isEqualTo(3);
        assertThat(rows.rowStart(1)).isEqualTo(WordsRecipe.LONGEST);
        assertThat(rows.rowStart(3)).isEqualTo(2 * WordsRecipe.LONGEST + 1);
        assertThat(parse(recipe, "x ".repeat(WordsRecipe.LONGEST)).rows()).isEqualTo(1);
    }

    @Test
    void countsAsAMapDoes() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Map<String, Integer> counts = new HashMap<>();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 50_000; i++) {
            String word = Integer.toString(random.nextInt(1 + random.nextInt(5000)), 36);
            counts.merge(word, 1, Integer::sum);
            text.append(word).append(i % 17 == 0 ? '\n' : ' ');
        }
        List<String> expected = new ArrayList<>(counts.keySet());
        expected.removeIf(word -> counts.get(word) < 3);
        expected.sort(
                (a, b) ->
                        counts.get(a).equals(counts.get(b))
                                ? a.compareTo(b)
                                : counts.get(b) - counts.get(a));
        assertThat(scan(text.toString()).words(3).words()).as("seed %d", seed).isEqualTo(expected);
    }

    @Test
    void refusesAVocabularyWithAWordTwice() {
        assertThatThrownBy(() -> new WordsRecipe(List.of("a", "a"), 1))
                .hasMessageContaining("each of them once");
    }
}
