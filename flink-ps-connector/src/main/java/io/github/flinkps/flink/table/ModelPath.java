package io.github.flinkps.flink.table;

import io.github.flinkps.flink.service.ServiceRegistry;
import java.io.Serializable;
import java.time.Instant;

/**
 * Names a model below a root.
 *
 * @param root folder of models
 * @param database of the model
 * @param model its name in the database
 */
public record ModelPath(String root, String database, String model) implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Returns the models of the root. */
    public ModelRoot models() {
        return new ModelRoot(root);
    }

    /** Returns the folder of the model. */
    public String directory() {
        return models().directory(database, model);
    }

    /** Returns what people call the model, and servers do. */
    public String nameOnServers() {
        return ServiceRegistry.nameOnServers(database, model);
    }

    /**
     * Returns the folder of the next version.
     *
     * @param ahead how many to leave out, which others may be writing
     */
    public String nextVersion(int ahead) {
        return models().next(database, model, Instant.now(), ahead).directory();
    }

    /** Returns the name with that of the database. */
    @Override
    public String toString() {
        return database + "." + model;
    }
}
