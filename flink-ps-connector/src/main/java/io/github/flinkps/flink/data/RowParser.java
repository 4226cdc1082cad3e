package io.github.flinkps.flink.data;

/** Turns the bytes of one line into a row. Keeps scratch space; belongs to one thread. */
public interface RowParser {
    /**
     * Parses the line {@code buffer[from, to)}, without its line feed, and adds its row to {@code
     * out}; adds nothing for a line that holds no row (blank, comment).
     *
     * @throws RowProblem if the row is bad; entries of an unfinished row may then be left in {@code
     *     out}
     */
    void parse(byte[] buffer, int from, int to, RowBatchBuilder out) throws RowProblem;
}
