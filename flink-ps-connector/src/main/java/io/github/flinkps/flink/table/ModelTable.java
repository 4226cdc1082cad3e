package io.github.flinkps.flink.table;

import io.github.flinkps.flink.PsOptions;
import io.github.flinkps.flink.service.ServiceRegistry;
import java.util.List;
import org.apache.flink.configuration.Configuration;

/**
 * A model as a table.
 *
 * @param name of the table, for messages
 * @param root folder of models
 * @param database of the model
 * @param model its name
 * @param spec what it was declared as
 * @param remote servers that jobs use, unless its own options name some; empty: none
 */
record ModelTable(
        String name,
        String root,
        String database,
        String model,
        ModelSpec spec,
        List<String> remote) {
    ModelTable {
        remote = List.copyOf(remote);
    }

    /** What people call the model, and servers do. */
    String nameOnServers() {
        return ServiceRegistry.nameOnServers(database, model);
    }

    /** The folder of its versions. */
    String versions() {
        return new ModelRoot(root).directory(database, model) + "/versions";
    }

    /** The options of a job that trains it, but for what it begins with. */
    Configuration jobOptions() {
        Configuration options = spec.jobOptions();
        if (!remote.isEmpty()
                && !options.contains(PsOptions.REMOTE)
                && !options.contains(PsOptions.SERVERS)) {
            options.set(PsOptions.REMOTE, remote);
        }
        options.set(PsOptions.MODEL_ROOT, root);
        options.set(PsOptions.DATABASE, database);
        options.set(PsOptions.MODEL_NAME, model);
        options.set(PsOptions.MODEL_OUTPUT, versions());
        options.set(PsOptions.SAVE_SLOTS, true);
        return options;
    }
}
