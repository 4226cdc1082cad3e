package io.github.flinkps.protocol;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;

/** The requests a server understands. Ids are permanent; a changed layout is a new version. */
public enum ApiKey {
    /** First frame of every connection. Version 1: magic, versions, owner, mechanism. */
    HELLO(0, 1, 1),
    /** A piece of a frame above {@link ChunkHeader#CHUNK_BYTES}; never a request of its own. */
    CHUNK(1, 1, 1),
    /**
     * Creates a model where needed and registers a session. Version 2: tables are answered with
     * what their update functions take of a push.
     */
    OPEN_MODEL(2, 2, 2),
    /**
     * Creates a table. Version 2: the fence follows. Version 3: the answer says what its update
     * function takes of a push.
     */
    CREATE_TABLE(3, 3, 3),
    /** The definition of a table. Version 2: with what its update function takes of a push. */
    DESCRIBE_TABLE(4, 2, 2),
    /** Removes a table. Version 2: the fence follows. */
    DROP_TABLE(5, 2, 2),
    /** Names of a model's tables. Version 1. */
    LIST_TABLES(6, 1, 1),
    /** Removes a model. Version 2: the fence follows. Version 3: a run that keeps it. */
    DROP_MODEL(7, 3, 3),
    /** The statistics that the server gives of itself. Version 1. */
    STATS(8, 1, 1),
    /**
     * Push, clock and pull. Version 2: the weight of the mini-batch. Version 3: markers. Version 4:
     * a word for each field.
     */
    EXCHANGE(9, 4, 5),
    /** Partial aggregates of an owner's partitions. Version 1. */
    AGGREGATE(10, 1, 1),
    /** Rows of a partition as stored. Version 2: its steps. Version 3: its rounds. */
    SCAN(11, 3, 3),
    /** Stores rows as they are. Version 2: the partition's steps. Version 3: its rounds. */
    LOAD(12, 3, 3),
    /** Arrival at a named barrier, with numbers for all who meet there. Version 2. */
    BARRIER(13, 2, 2),
    /** Asks for an empty answer. Version 1. */
    PING(14, 1, 1),
    /** An attempt takes a model over. Version 1. */
    GRANT_FENCE(15, 1, 1),
    /**
     * An attempt says where its cuts go, and rolls the model to one or to none. Version 2: whether
     * a model that is there stays, and the longest time of a cut.
     */
    BEGIN_CUTS(16, 2, 2),
    /** Waits until a cut is durable at this server. Version 2: the rounds of partitions. */
    AWAIT_CUT(17, 2, 2),
    /** Gives a cut up. Version 1. */
    ABORT_CUT(18, 1, 1),
    /** Suspends reads of a model, allows them, or asks how the model stands. Version 1. */
    MODEL_STATE(19, 1, 1),
    /** Names of the models that the client may read, a page at a time. Version 1. */
    LIST_MODELS(20, 1, 1);

    private static final ApiKey[] BY_ID = values();

    /** Returns the name of an id, for messages; the number where there is none. */
    public static String name(int id) {
        return id >= 0 && id < BY_ID.length ? BY_ID[id].name() : Integer.toString(id);
    }

    /** Returns the newest version of an id that is known here, else 0. */
    static int maxVersion(int id) {
        return id >= 0 && id < BY_ID.length ? BY_ID[id].maxVersion : 0;
    }

    private final int id;
    private final int minVersion;
    private final int maxVersion;

    ApiKey(int id, int minVersion, int maxVersion) {
        this.id = id;
        this.minVersion = minVersion;
        this.maxVersion = maxVersion;
    }

    public int id() {
        return id;
    }

    public int minVersion() {
        return minVersion;
    }

    public int maxVersion() {
        return maxVersion;
    }

    /**
     * Returns the api of a request.
     *
     * @throws PsException UNKNOWN_API or UNSUPPORTED_VERSION
     */
    public static ApiKey of(int id, int version) {
        if (id < 0 || id >= BY_ID.length) {
            throw new PsException(
                    ErrorCode.UNKNOWN_API, "api " + id + " is not known to this server");
        }
        ApiKey api = BY_ID[id];
        if (version < api.minVersion || version > api.maxVersion) {
            throw new PsException(
                    ErrorCode.UNSUPPORTED_VERSION,
                    api
                            + " version "
                            + version
                            + " is not among those of this server: "
                            + api.minVersion
                            + " to "
                            + api.maxVersion);
        }
        return api;
    }
}
