package io.github.flinkps.flink.data;

/** A row that cannot be read; names file, line and column. */
public final class BadRowException extends InputException {
    private static final long serialVersionUID = 1L;

    private final String file;
    private final long line;
    private final int column;

    /**
     * @param line from 1
     * @param column byte of the line, from 1
     */
    public BadRowException(String file, long line, int column, String problem) {
        super(file + ":" + line + ":" + column + ": " + problem);
        this.file = file;
        this.line = line;
        this.column = column;
    }

    public String file() {
        return file;
    }

    /** Returns the line, from 1. */
    public long line() {
        return line;
    }

    /** Returns the byte of the line where the trouble begins, from 1. */
    public int column() {
        return column;
    }
}
