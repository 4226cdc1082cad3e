package io.github.flinkps.cli.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.flink.algorithm.SkipGram;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.algorithm.TrainingModels;
import io.github.flinkps.flink.data.WordsRecipe;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelHeader;
import io.github.flinkps.model.ModelWriter;
import io.github.flinkps.model.RowBlock;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WordModelTest {
    private static final List<String> WORDS = List.of("king", "queen", "water", "ice");

    @TempDir private Path folder;

    /** A model of two values a word, in the order of the words; those without are left out. */
    private SavedModel model(float... vectors) {
        TrainingModel model =
                TrainingModels.create(SkipGram.NAME, Map.of("factors", "2", "partitions", "1"));
        String input = new WordsRecipe(WORDS, 1).toJson();
        ModelHeader header =
                new ModelHeader(
                        "words", SkipGram.NAME, model.options(), model.tables(), input, false);
        long[] keys = new long[vectors.length / 2];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = i;
        }
        Path directory = folder.resolve("model");
        try (BufferAllocator allocator = new RootAllocator();
                ModelWriter writer =
                        ModelWriter.begin(
                                new LocalModelStorage(),
                                LocalModelStorage.path(directory),
                                header,
                                allocator)) {
            RowBlock block = RowBlock.of(keys, vectors);
            writer.writePartition(SkipGram.VECTORS, 0, List.of(block).iterator());
            writer.writePartition("contexts", 0, List.<RowBlock>of().iterator());
            writer.commit(Map.of());
        }
        return SavedModel.open("DIR", directory);
    }

    @Test
    void findsWhatPointsTheSameWay() {
        WordModel model = WordModel.open(model(1, 0, 9, 1, 0, 1, .1f, .5f));
        assertThat(model.nearest("king", 2, 4)).containsExactly("queen", "ice");
        assertThat(model.nearest("water", 9, 3)).containsExactly("queen", "king");
    }

    @Test
    void aWordWithoutAVectorIsNearToNothing() {
        WordModel model = WordModel.open(model(1, 0, 9, 1, 1, .5f));
        assertThat(model.nearest("king", 3, 4)).containsExactly("queen", "water", "ice");
    }

    @Test
    void refusesVectorsThatAreNotFinite() {
        for (float bad : new float[] {Float.NaN, Float.POSITIVE_INFINITY}) {
            SavedModel damaged = model(1, 0, 9, 1, 0, bad, .1f, .5f);
            assertThatThrownBy(() -> WordModel.open(damaged))
                    .isInstanceOf(CommandException.class)
                    .hasMessageContaining("holds " + bad + " in the vector of 'water'");
        }
    }
}
