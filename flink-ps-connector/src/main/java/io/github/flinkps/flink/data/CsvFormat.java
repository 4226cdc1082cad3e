package io.github.flinkps.flink.data;

/**
 * The format of {@link CsvRecipe}.
 *
 * @param recipe of the rows
 * @param labels which are allowed
 */
record CsvFormat(CsvRecipe recipe, Labels labels) implements RowFormat {
    private static final long serialVersionUID = 1L;

    @Override
    public String name() {
        return "csv";
    }

    @Override
    public boolean header() {
        return recipe.header();
    }

    @Override
    public RowParser newParser() {
        return new CsvParser(recipe, labels);
    }
}
