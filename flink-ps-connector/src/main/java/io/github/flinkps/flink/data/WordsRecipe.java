package io.github.flinkps.flink.data;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.HashSet;
import java.util.List;

/**
 * Rows of words, such as a skip-gram model learns from: a line of plain text is a row, its words,
 * which blanks keep apart, entries of value 1 in their order. The key of a word is its position in
 * the vocabulary; other words are left out as if they were not there, and so is a line without any.
 * A line of more than {@value #LONGEST} words is cut into rows of so many. Labels are 0.
 *
 * @param words the vocabulary, the most frequent first
 * @param minCount how often a word had to occur
 */
public record WordsRecipe(List<String> words, int minCount) implements TextRecipe {
    /** The name of the format on the command line. */
    public static final String FORMAT = "text";

    /** Most words of a row. */
    public static final int LONGEST = 1000;

    private static final long serialVersionUID = 1L;

    /**
     * @throws IllegalArgumentException when no word is there, or one twice
     */
    public WordsRecipe {
        words = List.copyOf(words);
        if (words.isEmpty() || new HashSet<>(words).size() != words.size()) {
            throw new IllegalArgumentException("a vocabulary must have words, each of them once");
        }
    }

    @Override
    @JsonIgnore
    public String format() {
        return FORMAT;
    }

    @Override
    public List<List<String>> labelNames() {
        return List.of();
    }

    @Override
    public RowFormat rowFormat(Labels labels, long features) {
        return new WordsFormat(this);
    }
}
