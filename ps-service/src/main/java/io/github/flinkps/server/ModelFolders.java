package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.security.AccessRules.Right;

/**
 * Knows which model's files lie where below a server's model root: those of a model in {@code
 * DATABASE/MODEL/}, as jobs name it. Thread-safe.
 */
final class ModelFolders {
    private static final String DEFAULT_DATABASE = "default";

    /** The name of no model: only who may do something with all models may do it with this one. */
    private static final String NONE = "";

    private final ModelStorage storage;
    private final String root;

    /**
     * @param root of all models; null: there are none
     */
    ModelFolders(ModelStorage storage, String root) {
        this.storage = storage;
        this.root = root;
    }

    /**
     * Lets a path pass that lies in the folder of a model to which a client has a right, and any
     * path of a client that administers all models.
     *
     * @param access of the client, to whatever model
     * @throws PsException FORBIDDEN
     */
    void check(SessionAccess access, String path, Right wanted) {
        if (access.to(NONE).permits(Right.ADMINISTER)) {
            return;
        }
        String model = modelAt(path);
        if (model.equals(NONE)) {
            throw new PsException(
                    ErrorCode.FORBIDDEN,
                    path
                            + " lies in no model's folder, which is DATABASE/MODEL below the"
                            + " server's model-root: a job needs the same model-root");
        }
        access.to(model).check(wanted);
    }

    /** Returns what servers call the model in whose folder a path lies. */
    private String modelAt(String path) {
        String top;
        String place;
        try {
            top = root == null ? "" : storage.place(root);
            place = storage.place(path);
        } catch (IllegalArgumentException outside) {
            return NONE;
        }
        top = top.endsWith("/") ? top : top + "/";
        if (!place.startsWith(top)) {
            return NONE;
        }
        String[] names = place.substring(top.length()).split("/", 3);
        if (names.length < 2 || names[0].isEmpty()) {
            return NONE;
        }
        return names[0].equals(DEFAULT_DATABASE) ? names[1] : names[0] + "." + names[1];
    }
}
