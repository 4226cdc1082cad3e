package io.github.flinkps.flink.training;

/** What a worker's operator state is called: savepoints hold these, so that none may change. */
public final class StateNames {
    /** Where the worker stands. */
    static final String STANDING = "flink-ps-worker";

    /** Of each worker: rows that wait to be trained, {@code RowBatch}es. */
    public static final String WAITING = "flink-ps-rows";

    /** Of each worker: mini-batches that later passes train again, {@link CachedBatch}es. */
    public static final String CACHED = "flink-ps-cached-batches";

    /** Of each worker: updates that it holds, {@code Residual}s. */
    public static final String RESIDUALS = "flink-ps-residuals";

    /** The reference to the cut. */
    static final String CUT = "flink-ps-cut";

    private StateNames() {}
}
