package io.github.flinkps.flink.data;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The columns that files of CSV name in their first lines. */
public final class CsvHeaders {
    private static final int LONGEST = 1 << 20;

    private CsvHeaders() {}

    /**
     * Returns the columns of an input, the same in each of its files.
     *
     * @param paths files and folders
     * @param delimiter between the names
     * @param encoding of the files
     * @throws InputException for an input that cannot be read, a file that names a column twice, or
     *     one with other columns than the first
     */
    public static List<String> read(List<String> paths, String delimiter, Charset encoding)
            throws InputException {
        List<String> first = null;
        String firstFile = null;
        for (TextFile file : TextInput.list(paths)) {
            List<String> columns = columns(file, delimiter, encoding);
            if (first == null) {
                first = columns;
                firstFile = file.displayName();
            } else if (!first.equals(columns)) {
                throw new InputException(
                        file.displayName()
                                + ":1: its columns "
                                + columns
                                + " are not those of "
                                + firstFile
                                + ": "
                                + first);
            }
        }
        return first;
    }

    /**
     * Makes sure that files do not begin with the names of their columns.
     *
     * @param advice what to do about one that does
     * @throws InputException naming it, or for an input that cannot be read
     */
    public static void refuse(
            List<String> paths,
            String delimiter,
            Charset encoding,
            List<String> columns,
            String advice)
            throws InputException {
        for (TextFile file : TextInput.list(paths)) {
            String line = firstLine(file, encoding);
            if (line != null && columns.equals(namesOrNone(line, delimiter))) {
                throw new InputException(
                        file.displayName()
                                + ":1: the line names the columns, and is no row: "
                                + advice);
            }
        }
    }

    private static List<String> namesOrNone(String line, String delimiter) {
        try {
            return CsvRecipe.fields(line, delimiter);
        } catch (IllegalArgumentException e) {
            return List.of(); // a row, and bad: who reads it will say why
        }
    }

    private static List<String> columns(TextFile file, String delimiter, Charset encoding)
            throws InputException {
        String line = firstLine(file, encoding);
        if (line == null) {
            throw new InputException(
                    file.displayName() + ":1: the line of column names does not end");
        }
        try {
            List<String> columns = CsvRecipe.fields(line, delimiter);
            Set<String> names = new HashSet<>();
            for (String column : columns) {
                if (!column.isEmpty() && !names.add(column)) {
                    throw new IllegalArgumentException("column '" + column + "' is there twice");
                }
            }
            return columns;
        } catch (IllegalArgumentException e) {
            throw new InputException(file.displayName() + ":1: " + e.getMessage(), e);
        }
    }

    /**
     * Returns the first line that is not blank, empty if there is none; null if it is too long for
     * names.
     */
    private static String firstLine(TextFile file, Charset encoding) throws InputException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        byte[] buffer = new byte[4096];
        try (TextStream stream = TextStream.open(file)) {
            for (int count = stream.read(buffer, 0, buffer.length);
                    count >= 0;
                    count = stream.read(buffer, 0, buffer.length)) {
                for (int i = 0; i < count; i++) {
                    if (buffer[i] != '\n') {
                        line.write(buffer[i]);
                    } else if (isBlank(line)) {
                        line.reset();
                    } else {
                        return decoded(line, encoding);
                    }
                }
                if (line.size() > LONGEST) {
                    return null;
                }
            }
            return decoded(line, encoding);
        } catch (CharacterCodingException e) {
            throw new InputException(
                    file.displayName()
                            + ":1: the names of the columns are not of the encoding "
                            + encoding.name()
                            + "; --encoding names another",
                    e);
        } catch (InputException e) {
            throw e;
        } catch (IOException e) {
            throw new InputException(file.displayName() + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static boolean isBlank(ByteArrayOutputStream line) {
        byte[] bytes = line.toByteArray();
        return Swar.isBlank(bytes, 0, bytes.length);
    }

    private static String decoded(ByteArrayOutputStream line, Charset encoding)
            throws CharacterCodingException {
        return encoding.newDecoder().decode(ByteBuffer.wrap(line.toByteArray())).toString();
    }
}
