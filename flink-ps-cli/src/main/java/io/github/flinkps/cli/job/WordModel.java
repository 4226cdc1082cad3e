package io.github.flinkps.cli.job;

import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.common.PsException;
import io.github.flinkps.flink.algorithm.SkipGram;
import io.github.flinkps.flink.data.InputException;
import io.github.flinkps.flink.data.WordsRecipe;
import io.github.flinkps.flink.metrics.NeighbourCheck;
import io.github.flinkps.flink.metrics.WordVectors;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelReader;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** A saved model of words: its vocabulary and vectors. */
public final class WordModel {
    private static final long READ_MEMORY = 256L << 20;

    private final WordsRecipe recipe;
    private final WordVectors vectors;

    private WordModel(WordsRecipe recipe, WordVectors vectors) {
        this.recipe = recipe;
        this.vectors = vectors;
    }

    /**
     * Reads it.
     *
     * @throws CommandException if it is a model of something else, or damaged
     */
    public static WordModel open(SavedModel saved) {
        if (!(saved.recipe() instanceof WordsRecipe words)) {
            throw new CommandException(
                    "the model in "
                            + saved.directory()
                            + " is no model of words: it was not trained with --format text");
        }
        int width = saved.manifest().table(SkipGram.VECTORS).spec().width();
        if ((long) words.words().size() * width > Integer.MAX_VALUE - 8) {
            throw new CommandException("the model in " + saved.directory() + " is too large");
        }
        float[] values = new float[words.words().size() * width];
        try (BufferAllocator allocator = new RootAllocator(READ_MEMORY);
                ModelReader reader =
                        ModelReader.open(
                                new LocalModelStorage(),
                                LocalModelStorage.path(saved.directory()),
                                allocator)) {
            reader.read(
                    SkipGram.VECTORS,
                    block -> {
                        for (int row = 0; row < block.rows(); row++) {
                            long word = block.keys()[row];
                            if (word < words.words().size()) {
                                int at = (int) word * width;
                                System.arraycopy(block.values(), row * width, values, at, width);
                            }
                        }
                    });
        } catch (PsException e) {
            throw new CommandException("the model: " + e.getMessage(), e);
        }
        for (int i = 0; i < values.length; i++) {
            if (!Float.isFinite(values[i])) {
                throw new CommandException(
                        "the model in "
                                + saved.directory()
                                + " holds "
                                + values[i]
                                + " in the vector of '"
                                + words.words().get(i / width)
                                + "': train it again, with a lower learning rate");
            }
        }
        return new WordModel(words, new WordVectors(values, width));
    }

    /** Returns the words of the vocabulary, the most frequent first. */
    public List<String> words() {
        return recipe.words();
    }

    /**
     * Returns the words nearest to a word, of the {@code among} most frequent ones.
     *
     * @throws CommandException if the word is not of the vocabulary
     */
    public List<String> nearest(String word, int count, int among) {
        int number = recipe.words().indexOf(word);
        if (number < 0) {
            throw new CommandException(
                    "the model does not know the word '"
                            + word
                            + "': it occurred less than "
                            + recipe.minCount()
                            + " times");
        }
        return Arrays.stream(vectors.nearest(number, count, among))
                .mapToObj(recipe.words()::get)
                .toList();
    }

    /** Checks the neighbours of the most frequent words with a text. */
    public NeighbourCheck.Result check(
            RowsInput text, int count, int among, int frequent, int near) {
        int most = Math.min(among, recipe.words().size());
        NeighbourCheck check = new NeighbourCheck(frequent, most, near);
        try {
            text.scan(1)
                    .rows(
                            recipe,
                            rows -> {
                                for (int row = 0; row < rows.rows(); row++) {
                                    check.add(
                                            rows.keys(),
                                            rows.rowStart(row),
                                            rows.rowStart(row + 1));
                                }
                            });
        } catch (InputException e) {
            throw new CommandException(text.option() + ": " + e.getMessage(), e);
        }
        NeighbourCheck.Result result = check.check(vectors, count);
        if (result.words() == 0) {
            throw new CommandException(
                    text.option()
                            + ": "
                            + text.describe()
                            + " holds no frequent word of the model");
        }
        return result;
    }
}
