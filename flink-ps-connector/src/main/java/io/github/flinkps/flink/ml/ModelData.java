package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.internal.compat.NamedRows;
import io.github.flinkps.flink.service.ArrowModelArchive;
import io.github.flinkps.model.ModelManifest;
import io.github.flinkps.model.ModelStorage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
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
    static ModelData of(String directory, long version) throws IOException {
        return new ModelData(directory, version, checksum(directory));
    }

    /**
     * Looks whether the model is still there as it was.
     *
     * @throws IOException if it is not, naming it
     */
    void check() throws IOException {
        String found = checksum(path);
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

    private static String checksum(String directory) throws IOException {
        CRC32C crc = new CRC32C();
        try (InputStream manifest =
                Channels.newInputStream(storage(directory).open(manifest(directory)))) {
            crc.update(manifest.readAllBytes());
        }
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
        int folder = path.lastIndexOf('/');
        return folder > 0 && versions(path.substring(0, folder)).higherKey(version) != null;
    }

    /** Returns the versions in a folder by number; none where there is no such folder. */
    static NavigableMap<Long, String> versions(String folder) throws IOException {
        NavigableMap<Long, String> versions = numbers(folder);
        for (String directory : List.copyOf(versions.values())) {
            // Where nothing is renamed, one that is being written lies there too.
            if (!storage(directory).exists(manifest(directory))) {
                versions.values().remove(directory);
            }
        }
        return versions;
    }

    /** Removes from a folder all before so many versions, also what is not whole there. */
    static void keepNewest(String folder, int kept) throws IOException {
        List<Long> versions = List.copyOf(versions(folder).keySet());
        if (versions.size() > kept) {
            long oldest = versions.get(versions.size() - kept);
            for (String old : numbers(folder).headMap(oldest).values()) {
                storage(old).delete(old);
            }
        }
    }

    /** Returns the folders of versions, also of those that are not whole. */
    private static NavigableMap<Long, String> numbers(String folder) throws IOException {
        NavigableMap<Long, String> numbers = new TreeMap<>();
        for (String name : storage(folder).list(folder)) {
            if (name.matches("[0-9]{1,18}")) {
                numbers.put(Long.parseLong(name), folder + "/" + name);
            }
        }
        return numbers;
    }

    private static String manifest(String directory) {
        return directory + "/" + ModelManifest.FILE;
    }

    /** Returns where a directory lies. */
    static ModelStorage storage(String directory) {
        return ArrowModelArchive.storage(directory);
    }

    /** Returns the directory of the version after those of a folder and so many more. */
    static String next(String folder, int ahead) throws IOException {
        NavigableMap<Long, String> numbers = numbers(folder);
        return folder + "/" + (numbers.isEmpty() ? 1 + ahead : numbers.lastKey() + 1 + ahead);
    }
}
