package io.github.flinkps.flink.data;

/**
 * The format of libffm: {@code label field:index:value field:index:value ...}, as {@link
 * LibsvmFormat} but for the fields. The key of an entry is {@code index * fields + field}, so that
 * it tells the field too; or its index, where fields do not matter.
 *
 * @param labels which labels are allowed, and what becomes of -1
 * @param fields number of fields, from 0 on; 0 where they do not matter
 */
public record LibffmFormat(Labels labels, int fields) implements RowFormat {
    /** The name of the format on the command line. */
    public static final String NAME = "libffm";

    private static final long serialVersionUID = 1L;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public RowParser newParser() {
        return new LibsvmParser(
                labels,
                LibsvmFormat.ANY_INDEX,
                false,
                fields == 0 ? LibsvmParser.ANY_FIELDS : fields);
    }
}
