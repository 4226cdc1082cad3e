package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.internal.compat.NamedRows;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.types.AbstractDataType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeFamily;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;

/**
 * A row of a table of model data: where a version of a model is.
 *
 * @param path directory of the saved model
 * @param version its number; a higher one is newer
 * @param checksum of its manifest, which has those of all its files
 */
record ModelData(String path, long version, String checksum) {
    /** The columns of the table. */
    static final List<String> COLUMNS = List.of("path", "version", "checksum");

    private static final String VERSION = "version";
    private static final NamedRows ROWS = new NamedRows(COLUMNS);

    /** The rows of the stream. */
    static final TypeInformation<Row> TYPE =
            Types.ROW_NAMED(COLUMNS.toArray(new String[0]), Types.STRING, Types.LONG, Types.STRING);

    /** The type of model data in SQL. */
    static final AbstractDataType<?> SQL_TYPE =
            DataTypes.ROW(
                    DataTypes.FIELD("path", DataTypes.STRING()),
                    DataTypes.FIELD("version", DataTypes.BIGINT()),
                    DataTypes.FIELD("checksum", DataTypes.STRING()));

    /** Reads model data from a row of such a table. */
    static ModelData of(Row row) {
        return new ModelData(
                (String) row.getField(0),
                ((Number) row.getField(1)).longValue(),
                (String) row.getField(2));
    }

    /** Returns the model data as a row. */
    Row row() {
        return ROWS.of(RowKind.INSERT, path, version, checksum);
    }

    /** Makes the model data of a version that exists. */
    static ModelData of(Path directory, long version) throws IOException {
        String checksum = checksum(directory);
        return new ModelData(LocalModelStorage.path(directory), version, checksum);
    }

    /**
     * Looks whether the model is still there as it was.
     *
     * @throws IOException if it is not, naming it
     */
    void check() throws IOException {
        String found = checksum(Path.of(path));
        if (!found.equals(checksum)) {
            throw new IOException(
                    "the model in "
                            + path
                            + " is not the one of the model data: its manifest has checksum "
                            + found
                            + " instead of "
                            + checksum);
        }
    }

    private static String checksum(Path directory) throws IOException {
        CRC32C crc = new CRC32C();
        crc.update(Files.readAllBytes(directory.resolve(ModelManifest.FILE)));
        return String.format("%08x", crc.getValue());
    }

    /**
     * Refuses a table of other rows.
     *
     * @throws ValidationException naming its columns
     */
    static void check(ResolvedSchema schema) {
        if (!schema.getColumnNames().equals(COLUMNS)) {
            throw new ValidationException(
                    "model data must have the columns "
                            + String.join(", ", COLUMNS)
                            + ", as getModelData of a model of this package has, not "
                            + String.join(", ", schema.getColumnNames()));
        }
        for (Column column : schema.getColumns()) {
            LogicalType type = column.getDataType().getLogicalType();
            boolean number = column.getName().equals(VERSION);
            if (!type.is(
                    number
                            ? LogicalTypeFamily.INTEGER_NUMERIC
                            : LogicalTypeFamily.CHARACTER_STRING)) {
                throw new ValidationException(
                        "column '"
                                + column.getName()
                                + "' of model data must be a "
                                + (number ? "whole number" : "text")
                                + ", not "
                                + type.asSummaryString());
            }
        }
    }

    /** Returns whether its folder holds a newer version, for which its files may be removed. */
    boolean superseded() throws IOException {
        Path folder = Path.of(path).getParent();
        return folder != null && versions(folder).higherKey(version) != null;
    }

    /** Returns the versions in a folder by number; none where there is no such folder. */
    static NavigableMap<Long, Path> versions(Path folder) throws IOException {
        NavigableMap<Long, Path> versions = new TreeMap<>();
        if (!Files.isDirectory(folder)) {
            return versions;
        }
        try (Stream<Path> entries = Files.list(folder)) {
            for (Path entry : (Iterable<Path>) entries::iterator) {
                String name = entry.getFileName().toString();
                if (name.matches("[0-9]{1,18}")) {
                    versions.put(Long.parseLong(name), entry);
                }
            }
        }
        return versions;
    }

    /** Returns the directory of the version after those of a folder. */
    static String next(String folder) throws IOException {
        NavigableMap<Long, Path> versions = versions(Path.of(folder));
        return folder + "/" + (versions.isEmpty() ? 1 : versions.lastKey() + 1);
    }

    /** Removes a folder with all in it, if it is there. */
    static void remove(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : (Iterable<Path>) all.sorted(Comparator.reverseOrder())::iterator) {
                Files.deleteIfExists(each);
            }
        }
    }
}
