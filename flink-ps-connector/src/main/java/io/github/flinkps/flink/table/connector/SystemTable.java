package io.github.flinkps.flink.table.connector;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.types.DataType;

/** Tables that show what there is of a model, named {@code MODEL$params} and so on; read-only. */
enum SystemTable {
    /** The parameters of a version. */
    PARAMS(
            "The parameters of the newest version, or of that which the option 'version' names;"
                    + " looked up by table and key, those of the model as it is now.",
            DataTypes.FIELD("table_name", DataTypes.STRING().notNull()),
            DataTypes.FIELD("key", DataTypes.BIGINT().notNull()),
            DataTypes.FIELD("feature", DataTypes.STRING()),
            DataTypes.FIELD("values", DataTypes.ARRAY(DataTypes.FLOAT().notNull()).notNull()),
            DataTypes.FIELD(
                    "slots", DataTypes.ARRAY(DataTypes.ARRAY(DataTypes.FLOAT().notNull())))),

    /** The predictions of the model for features; its columns are those of the model. */
    PREDICTIONS("Scores, looked up by the features."),

    /** The versions. */
    VERSIONS(
            "The versions, oldest first; of one that cannot be read what is known without.",
            DataTypes.FIELD("version", DataTypes.STRING().notNull()),
            DataTypes.FIELD("published", DataTypes.TIMESTAMP_LTZ(3).notNull()),
            DataTypes.FIELD("algorithm", DataTypes.STRING()),
            DataTypes.FIELD("parameters", DataTypes.BIGINT()),
            DataTypes.FIELD("bytes", DataTypes.BIGINT()),
            DataTypes.FIELD("facts", DataTypes.MAP(DataTypes.STRING(), DataTypes.STRING())),
            DataTypes.FIELD("directory", DataTypes.STRING().notNull())),

    /** The course of training, as far as cuts that are kept and versions tell. */
    METRICS(
            "What was measured at the checkpoints of training whose cuts are kept, and of a job"
                    + " without checkpoints at its end.",
            DataTypes.FIELD("run", DataTypes.STRING().notNull()),
            DataTypes.FIELD("checkpoint", DataTypes.BIGINT()),
            DataTypes.FIELD("taken", DataTypes.TIMESTAMP_LTZ(3).notNull()),
            DataTypes.FIELD("trained_rows", DataTypes.BIGINT()),
            DataTypes.FIELD("training_loss", DataTypes.DOUBLE())),

    /** The servers of jobs that train it now. */
    SERVERS(
            "The servers of the jobs that train it now.",
            DataTypes.FIELD("run", DataTypes.STRING().notNull()),
            DataTypes.FIELD("server", DataTypes.INT().notNull()),
            DataTypes.FIELD("address", DataTypes.STRING().notNull()),
            DataTypes.FIELD("expires", DataTypes.TIMESTAMP_LTZ(3).notNull()));

    private static final char MARK = '$';

    private final String comment;

    @SuppressWarnings("ImmutableEnumChecker") // it is, but does not say so
    private final DataType rows;

    SystemTable(String comment, DataTypes.Field... fields) {
        this.comment = comment;
        this.rows = DataTypes.ROW(fields).notNull();
    }

    /**
     * A system table of a model.
     *
     * @param model its name
     */
    record Of(String model, SystemTable table) {}

    /** Returns whether a name can only be that of a system table. */
    static boolean isSystem(String table) {
        return table.indexOf(MARK) >= 0;
    }

    /** Returns what a name means; empty if it means no system table. */
    static Optional<Of> parse(String name) {
        int mark = name.indexOf(MARK);
        return Arrays.stream(values())
                .filter(table -> mark > 0 && name.substring(mark).equals(table.mark()))
                .map(table -> new Of(name.substring(0, mark), table))
                .findFirst();
    }

    /** Returns the {@link #mark}s of all. */
    static String marks() {
        return Arrays.stream(values()).map(SystemTable::mark).collect(Collectors.joining(", "));
    }

    /** Returns what follows the name of a model in its own. */
    String mark() {
        return MARK + name().toLowerCase(Locale.ROOT);
    }

    String comment() {
        return comment;
    }

    /** Returns its columns, unless they are the model's. */
    Schema schema() {
        return Schema.newBuilder().fromRowDataType(rows).build();
    }
}
