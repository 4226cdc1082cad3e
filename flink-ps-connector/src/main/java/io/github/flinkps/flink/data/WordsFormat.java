package io.github.flinkps.flink.data;

import java.nio.charset.StandardCharsets;

/**
 * The format of {@link WordsRecipe}.
 *
 * @param recipe with the vocabulary
 */
record WordsFormat(WordsRecipe recipe) implements RowFormat {
    private static final long serialVersionUID = 1L;

    @Override
    public String name() {
        return recipe.format();
    }

    @Override
    public RowParser newParser() {
        return new WordsParser(recipe);
    }

    /** Takes each word of a line. */
    interface WordConsumer {
        void word(byte[] buffer, int from, int to);
    }

    /** Splits a line into words: runs of bytes above a blank. */
    static void split(byte[] buffer, int from, int to, WordConsumer consumer) {
        int at = from;
        while (at < to) {
            while (at < to && isBlank(buffer[at])) {
                at++;
            }
            int start = at;
            while (at < to && !isBlank(buffer[at])) {
                at++;
            }
            if (at > start) {
                consumer.word(buffer, start, at);
            }
        }
    }

    /** Returns whether a byte is a blank; bytes below 0 are parts of letters in UTF-8. */
    private static boolean isBlank(byte b) {
        return b >= 0 && b <= ' ';
    }

    private static final class WordsParser implements RowParser, WordConsumer {
        private final WordTable table = new WordTable();
        private RowBatchBuilder out;

        WordsParser(WordsRecipe recipe) {
            for (String word : recipe.words()) {
                byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
                table.add(bytes, 0, bytes.length);
            }
        }

        @Override
        public void parse(byte[] buffer, int from, int to, RowBatchBuilder rows) {
            out = rows;
            split(buffer, from, to, this);
            if (rows.openEntries() > 0) {
                rows.endRow(Float.NaN);
            }
        }

        @Override
        public void word(byte[] buffer, int from, int to) {
            int number = table.find(buffer, from, to);
            if (number >= 0) {
                out.add(number);
                if (out.openEntries() == WordsRecipe.LONGEST) {
                    out.endRow(Float.NaN);
                }
            }
        }
    }
}
