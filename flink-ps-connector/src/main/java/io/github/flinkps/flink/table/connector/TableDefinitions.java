package io.github.flinkps.flink.table.connector;

import io.github.flinkps.flink.internal.compat.SqlTypes;
import io.github.flinkps.flink.table.ModelColumn;
import io.github.flinkps.flink.table.ModelDefinition;
import io.github.flinkps.flink.table.ModelSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.TableException;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.catalog.ResolvedSchema;

/** Definitions of models as tables of Flink, and back. */
final class TableDefinitions {
    private TableDefinitions() {}

    /** Returns the table of a definition, of a model that is at a place. */
    static CatalogTable table(ModelDefinition definition, ModelIdentifier place) {
        Schema.Builder schema = Schema.newBuilder();
        for (ModelColumn column : definition.columns()) {
            checkType(column);
            schema.column(column.name(), column.type());
            if (!column.comment().isEmpty()) {
                schema.withComment(column.comment());
            }
        }
        return CatalogTable.newBuilder()
                .schema(schema.build())
                .comment(definition.comment())
                .options(place.shown(definition.options()))
                .build();
    }

    /**
     * Returns what a system table is to Flink.
     *
     * @param model whose table it is
     * @param version that is read; null for the newest
     * @param timestamp as of which, in milliseconds since the epoch; null for now
     */
    static CatalogTable table(
            SystemTable.Of table, ModelSpec model, String version, Long timestamp) {
        boolean predictions = table.table() == SystemTable.PREDICTIONS;
        return CatalogTable.newBuilder()
                .schema(predictions ? predictionsOf(model) : table.table().schema())
                .comment(table.table().comment())
                .options(
                        version == null
                                ? Map.of()
                                : Map.of(ModelTableFactory.VERSION.key(), version))
                .snapshot(timestamp)
                .build();
    }

    /**
     * Returns the names of the columns of predictions: the features, and then the score.
     *
     * @throws ValidationException if one of the features has the name of the score
     */
    static List<String> predictions(ModelSpec model) {
        List<String> names = new ArrayList<>(ModelSpec.names(model.features()));
        String score = model.model().scoresPerRow() == 1 ? "score" : "scores";
        if (names.contains(score)) {
            throw new ValidationException(
                    "a feature is called '" + score + "' as the prediction is: use PS_PREDICT");
        }
        names.add(score);
        return names;
    }

    private static Schema predictionsOf(ModelSpec model) {
        Schema.Builder schema = Schema.newBuilder();
        model.features().forEach(feature -> schema.column(feature.name(), feature.type()));
        List<String> names = predictions(model);
        String score = names.get(names.size() - 1);
        boolean one = model.model().scoresPerRow() == 1;
        return schema.column(score, one ? "DOUBLE NOT NULL" : "ARRAY<DOUBLE NOT NULL> NOT NULL")
                .build();
    }

    /**
     * Returns the definition that a table makes.
     *
     * @param name of the model, for messages
     * @param options with which it is defined: those of the table that are the model's
     * @throws ValidationException if it has what models have not, such as a key
     */
    static ModelDefinition definition(
            String name, ResolvedCatalogTable table, Map<String, String> options) {
        ResolvedSchema schema = table.getResolvedSchema();
        refuse(
                name,
                schema.getPrimaryKey().isPresent(),
                "a PRIMARY KEY: it has no rows that could be updated; with LIKE, write EXCLUDING"
                        + " CONSTRAINTS");
        refuse(
                name,
                !schema.getWatermarkSpecs().isEmpty(),
                "a WATERMARK: it is no stream; with LIKE, write EXCLUDING WATERMARKS");
        refuse(name, table.isPartitioned(), "PARTITIONED BY: servers place its parameters");
        refuse(
                name,
                table.getDistribution().isPresent(),
                "DISTRIBUTED BY: servers place its parameters");
        List<ModelColumn> columns = new ArrayList<>();
        for (Column column : schema.getColumns()) {
            refuse(
                    name,
                    !column.isPhysical(),
                    "computed and metadata columns, such as '"
                            + column.getName()
                            + "': compute it in the query that is inserted; with LIKE, write"
                            + " EXCLUDING GENERATED and EXCLUDING METADATA");
            columns.add(
                    new ModelColumn(
                            column.getName(), type(name, column), column.getComment().orElse("")));
        }
        return new ModelDefinition(table.getComment(), columns, options);
    }

    /** Checks a type, as a definition may be of a newer version of Flink, or written by hand. */
    private static void checkType(ModelColumn column) {
        try {
            SqlTypes.parse(column.type());
        } catch (ValidationException e) {
            throw ModelSpec.refused(
                    "column '" + column.name() + "' of a model: " + e.getMessage(), e);
        }
    }

    private static void refuse(String name, boolean there, String what) {
        if (there) {
            throw new ValidationException("model " + name + ": a model cannot have " + what);
        }
    }

    private static String type(String name, Column column) {
        try {
            return column.getDataType().getLogicalType().asSerializableString();
        } catch (TableException e) {
            throw ModelSpec.refused(
                    "model "
                            + name
                            + ": column '"
                            + column.getName()
                            + "' of type "
                            + column.getDataType()
                            + " cannot be stored",
                    e);
        }
    }
}
