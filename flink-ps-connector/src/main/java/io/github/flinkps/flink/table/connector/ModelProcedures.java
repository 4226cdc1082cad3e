package io.github.flinkps.flink.table.connector;

import io.github.flinkps.flink.table.ModelRoot;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.flink.table.annotation.ArgumentHint;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.annotation.ProcedureHint;
import org.apache.flink.table.procedure.ProcedureContext;
import org.apache.flink.table.procedures.Procedure;
import org.apache.flink.types.Row;

/**
 * The procedures of database {@code sys}: signatures of what {@link ModelVersions} does. They run
 * in the process that makes the statement. {@code rollback} and {@code reset} are words of SQL and
 * must be quoted, hence their other names. Public, as Flink calls them by reflection.
 */
public final class ModelProcedures {
    private static final Map<String, Function<ModelVersions, Procedure>> ALL =
            new TreeMap<>(
                    Map.of(
                            "export_model", ExportModel::new,
                            "rollback_model", Rollback::new,
                            "rollback", Rollback::new,
                            "drop_version", DropVersion::new,
                            "expire_versions", ExpireVersions::new,
                            "reset_model", Reset::new,
                            "reset", Reset::new));

    private ModelProcedures() {}

    /** Returns the names of the procedures, sorted. */
    static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    /** Returns one of {@link #names}, for the models of a catalog. */
    static Procedure of(String name, String catalog, ModelRoot root) {
        return ALL.get(name).apply(new ModelVersions(catalog, root, Clock.systemUTC()));
    }

    /** {@code export_model(name, directory [, version])}. */
    public static final class ExportModel implements Procedure {
        private final ModelVersions versions;

        ExportModel(ModelVersions versions) {
            this.versions = versions;
        }

        @ProcedureHint(
                argument = {
                    @ArgumentHint(name = "name", type = @DataTypeHint("STRING")),
                    @ArgumentHint(name = "directory", type = @DataTypeHint("STRING")),
                    @ArgumentHint(
                            name = "version",
                            type = @DataTypeHint("STRING"),
                            isOptional = true)
                },
                output = @DataTypeHint("ROW<version STRING, directory STRING, parameters BIGINT>"))
        public Row[] call(ProcedureContext context, String name, String directory, String version) {
            return versions.export(name, directory, version);
        }
    }

    /** {@code rollback_model(name, version)}. */
    public static final class Rollback implements Procedure {
        private final ModelVersions versions;

        Rollback(ModelVersions versions) {
            this.versions = versions;
        }

        @ProcedureHint(
                argument = {
                    @ArgumentHint(name = "name", type = @DataTypeHint("STRING")),
                    @ArgumentHint(name = "version", type = @DataTypeHint("STRING"))
                },
                output = @DataTypeHint("ROW<version STRING, copy_of STRING>"))
        public Row[] call(ProcedureContext context, String name, String version) {
            return versions.rollback(name, version);
        }
    }

    /** {@code drop_version(name, version)}. */
    public static final class DropVersion implements Procedure {
        private final ModelVersions versions;

        DropVersion(ModelVersions versions) {
            this.versions = versions;
        }

        @ProcedureHint(
                argument = {
                    @ArgumentHint(name = "name", type = @DataTypeHint("STRING")),
                    @ArgumentHint(name = "version", type = @DataTypeHint("STRING"))
                },
                output = @DataTypeHint("ROW<dropped STRING>"))
        public Row[] call(ProcedureContext context, String name, String version) {
            return versions.drop(name, version);
        }
    }

    /** {@code expire_versions(name, keep [, older_than])}. */
    public static final class ExpireVersions implements Procedure {
        private final ModelVersions versions;

        ExpireVersions(ModelVersions versions) {
            this.versions = versions;
        }

        @ProcedureHint(
                argument = {
                    @ArgumentHint(name = "name", type = @DataTypeHint("STRING")),
                    @ArgumentHint(name = "keep", type = @DataTypeHint("INT")),
                    @ArgumentHint(
                            name = "older_than",
                            type = @DataTypeHint("STRING"),
                            isOptional = true)
                },
                output = @DataTypeHint("ROW<dropped STRING>"))
        public Row[] call(ProcedureContext context, String name, Integer keep, String olderThan) {
            return versions.expire(name, keep, olderThan);
        }
    }

    /** {@code reset_model(name)}. */
    public static final class Reset implements Procedure {
        private final ModelVersions versions;

        Reset(ModelVersions versions) {
            this.versions = versions;
        }

        @ProcedureHint(
                argument = @ArgumentHint(name = "name", type = @DataTypeHint("STRING")),
                output = @DataTypeHint("ROW<model STRING, version_before STRING>"))
        public Row[] call(ProcedureContext context, String name) {
            return versions.reset(name);
        }
    }
}
